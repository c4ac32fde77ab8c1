from tests.session.conftest import at_once  # noqa: F401 - every test here has it too
