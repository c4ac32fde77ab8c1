from tests.session.conftest import own_home  # noqa: F401 - every test here has it too
