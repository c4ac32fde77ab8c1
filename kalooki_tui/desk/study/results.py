"""What there is still to earn in a chapter, and what came of deals that were played alone, in words."""

from __future__ import annotations

from kalooki_tui.coach.course.chapter import Chapter, Mastery
from kalooki_tui.coach.course.progress import ALONE, OwnDeal
from kalooki_tui.coach.session import CLEAN_OF_TEN
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.wording import counted


def next_star(learning: Learning, chapter: Chapter) -> str:
    """What there is still to earn."""
    standing = learning.standing(chapter)
    if standing.mastered:
        return "You have mastered this chapter."
    if standing.stars == 3:
        return "Three stars. It counts as mastered" + _criterion(learning, chapter.mastery)
    if standing.clean_on is not None:
        return "The third star: the same again on another day, with new exercises."
    return f"The second star: {CLEAN_OF_TEN} of 10 right first time and without help."


def _criterion(learning: Learning, wanted: Mastery | None) -> str:
    if wanted is None:
        return "."
    if wanted.kind in ALONE:
        return f" {mastery_of_deals(learning, wanted)}."
    within = "" if wanted.seconds is None else f" in {wanted.seconds} seconds"
    return f" with {wanted.right} of your last {wanted.of} {wanted.kind!r} exercises right first time{within}."


def mastery_of_deals(learning: Learning, wanted: Mastery) -> str:
    """What is asked of deals that are played alone."""
    deals = counted(wanted.of, learning.rules.ruleset.vocabulary.deal)
    if wanted.kind == "laid":
        return f"once you have laid without a hint in {deals} of your own"
    return f"once your last {deals} on your own have cost you no more points than the others on average"


def own_deal_words(learning: Learning, chapter: Chapter, deal: OwnDeal | None) -> str:
    """What came of a deal that was played alone, and what it counts for."""
    wanted = chapter.mastery
    assert wanted is not None
    if deal is None:
        return "Nobody has scored: it does not count."
    if learning.standing(chapter).mastered:
        return "You have mastered this chapter."
    played = learning.deals_of(chapter)
    if wanted.kind == "laid":
        came = "You laid without a hint." if deal.laid else "It counts once you lay without a hint."
    else:
        last = played[-wanted.of :]
        own, others = (sum(one) / len(last) for one in ([d.points for d in last], [d.others for d in last]))
        came = f"Your last {len(last)} of {wanted.of}: {own:.0f} points on average, the others {others:.0f}."
    title = learning.words(chapter.title)
    return f"{came} {title} counts as mastered {mastery_of_deals(learning, wanted)}, with three stars."
