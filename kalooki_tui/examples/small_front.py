"""A whole front end in about sixty lines: a person plays at a hosted table by typing. It needs aiohttp.

python3 small_front.py http://192.168.1.20:8000 7QK4 Ann
"""

import asyncio
import json
import sys

import aiohttp

MOMENT = ""  # of the table that was shown last; an answer names it


def show(message):
    global MOMENT
    if "lobby" in message:
        for number, seat in enumerate(message["lobby"]["seats"], 1):
            print(f"{number} {seat['name']} ({seat['state']})")
        print(message["lobby"]["words"], "Type: sit 1")
    elif "ask" in message:
        MOMENT, question = message["moment"], message["question"]
        for meld in message["table"]:
            print(f"{meld['meld']} {meld['owner']}: {meld['cards']}")
        print(f"Open: {message['discard']}. Your hand: {message['hand']}")
        print(message["prompt"])
        if question is not None:
            print(question["title"], question["text"])
            for number, words in enumerate(question["ways"], 1):
                print(f"  {number} {words}")
        elif message["yours"]:
            print("Type one of:", ", ".join(message["options"]))
    elif "words" in message:
        print(*message["words"], sep="\n")
    elif "refused" in message:
        print(f"{message['refused']['message']} ({message['refused']['clause']})")
    elif "told" in message or "ended" in message:
        print(message.get("told") or message.get("ended"))


def message_of(line):
    """Return the message for a typed line."""
    word, _, rest = line.partition(" ")
    if word == "sit" and rest.isdigit():
        return {"sit": int(rest)}
    if word == "say":
        return {"say": rest}
    if word.isdigit():
        return {"way": int(word) - 1, "moment": MOMENT}
    return {"answer": line, "moment": MOMENT}


async def take_lines(socket):
    while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
        await socket.send_json(message_of(line))
    await socket.close()


async def main(address, code, name):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        await session.post(f"{address}/hand", data={"code": code, "name": name})
        async with session.ws_connect(f"{address}/hand/ws") as socket:
            typing = asyncio.ensure_future(take_lines(socket))
            async for message in socket:
                show(json.loads(message.data))
            typing.cancel()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
