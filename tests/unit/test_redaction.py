"""Secrets are taken out of texts, and nothing else is.

The tokens have the form of real ones and are drawn at random, so that no file of ours holds one.
"""

import base64
import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.redaction import Redactor, secret_digest
from imprint.domain.secret_rules import RULES, is_made_up
from imprint.errors import InvalidSettingError

HEX = "0123456789abcdef"
DIGITS = string.digits
AN = string.ascii_letters + DIGITS
UP = string.ascii_uppercase + DIGITS
B32 = string.ascii_uppercase + "234567"
B64 = AN + "+/"
U = AN + "_-"

chance = random.Random(7)


def draw(length: int, alphabet: str = AN) -> str:
    return "".join(chance.choice(alphabet) for _ in range(length))


def jwt() -> str:
    parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"81273","name":"Ada","iat":1716239022}')
    return ".".join([*(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts), draw(43, U)])


def pem(kind: str) -> str:
    lines = [draw(64, B64) for _ in range(6)]
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"{draw(30, B64)}==", f"-----END {kind}-----"])


SECRETS = [
    ("Anthropic key", "export ANTHROPIC_API_KEY={}", "sk-ant-api03-" + draw(93, U) + "AA"),
    ("Anthropic OAuth", "claude token {}", "sk-ant-oat01-" + draw(93, U) + "AA"),
    ("OpenAI old", 'openai.api_key = "{}"', "sk-" + draw(20) + "T3BlbkFJ" + draw(20)),
    ("OpenAI project", "OPENAI_API_KEY={}", "sk-proj-" + draw(74, U) + "T3BlbkFJ" + draw(74, U)),
    ("OpenAI plain", "key: {}", "sk-" + draw(48)),
    ("OpenRouter", "use {} there", "sk-or-v1-" + draw(64, HEX)),
    ("Google", '<script src="https://maps.example.org/js?key={}">', "AIza" + draw(35, U)),
    ("Google OAuth", '"client_secret":"{}"', "GOCSPX-" + draw(28, U)),
    ("Google access", 'curl -H "Authorization: Bearer {}"', "ya29." + draw(120, U)),
    ("GitHub classic", "git clone https://{}@github.com/o/r", "ghp_" + draw(36)),
    ("GitHub OAuth", "{}", "gho_" + draw(36)),
    ("GitHub server", "GITHUB_TOKEN={}", "ghs_" + draw(36)),
    ("GitHub fine", "token {} pasted", "github_pat_" + draw(22) + "_" + draw(59)),
    ("GitLab", "PRIVATE-TOKEN: {}", "glpat-" + draw(20, U[:-1]) + "k"),
    ("GitLab deploy", "{}", "gldt-" + draw(20)),
    ("AWS id", "aws_access_key_id = {}", "AKIA" + draw(16, B32)),
    ("AWS session", "{}", "ASIA" + draw(16, B32)),
    ("AWS secret", "aws_secret_access_key = {}", draw(20, AN) + "7xQ/" + draw(16, AN)),
    ("AWS secret env", 'export AWS_SECRET_ACCESS_KEY="{}"', draw(40)),
    ("Slack bot", "SLACK={}", "xoxb-" + draw(12, DIGITS) + "-" + draw(12, DIGITS) + "-" + draw(24)),
    (
        "Slack user",
        "{}",
        "xoxp-" + draw(11, DIGITS) + "-" + draw(11, DIGITS) + "-" + draw(12, DIGITS) + "-" + draw(32, HEX),
    ),
    ("Slack app", "{}", "xapp-1-A" + draw(10, UP) + "-" + draw(13, DIGITS) + "-" + draw(64, HEX)),
    ("Slack hook", "https://hooks.slack.com/services/{}", "T" + draw(8, UP) + "/B" + draw(8, UP) + "/" + draw(24)),
    ("Discord", 'client.login("{}")', "MTA" + draw(21) + "." + draw(6) + "." + draw(38, U[:-1])),
    ("Discord hook", "https://discord.com/api/webhooks/812345678901234567/{}", draw(68, U[:-1])),
    ("Telegram", 'bot = Bot("123456789:{}")', "AA" + draw(33, U[:-1])),
    ("Stripe", "{}", "sk_live_" + draw(24)),
    ("Stripe long", 'stripe.api_key = "{}"', "sk_live_51" + draw(97)),
    ("Stripe test", "{}", "sk_test_" + draw(24)),
    ("Stripe hook", "{}", "whsec_" + draw(32)),
    ("npm", "//registry.npmjs.org/:_authToken={}", "npm_" + draw(36)),
    ("npm legacy", "//registry.npmjs.org/:_authToken={}", "b1c7f8de-51a2-4ce1-9a0b-7d36f8a0c215"),
    ("PyPI", "password = {}", "pypi-AgEIcHlwaS5vcmc" + draw(120, U[:-1])),
    ("JWT", "Authorization: Bearer {}", jwt()),
    ("JWT cookie", "session={};", jwt()),
    ("SendGrid", "{}", "SG." + draw(22) + "." + draw(43)),
    ("Twilio key", "{}", "SK" + draw(32, HEX)),
    ("Twilio auth", "TWILIO_AUTH_TOKEN={}", draw(32, HEX)),
    ("Mailgun", "{}", "key-" + draw(32, HEX)),
    ("Mailchimp", "MC={}", draw(32, HEX) + "-us12"),
    ("Hugging Face", "HF_TOKEN={}", "hf_" + draw(34)),
    ("DigitalOcean", "{}", "dop_v1_" + draw(64, HEX)),
    ("Databricks", "{}", "dapi" + draw(32, HEX)),
    ("Docker", "{}", "dckr_pat_" + draw(27, U[:-1])),
    ("Vault", "VAULT_TOKEN={}", "hvs." + draw(90)),
    ("Terraform", 'token = "{}"', draw(14) + ".atlasv1." + draw(65)),
    ("Shopify", "{}", "shpat_" + draw(32, HEX)),
    ("Square", "{}", "sq0csp-" + draw(43)),
    ("Linear", "{}", "lin_api_" + draw(40)),
    ("Notion", "{}", "ntn_" + draw(46)),
    ("Groq", "{}", "gsk_" + draw(52)),
    ("Azure storage", "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net", draw(86, B64) + "=="),
    ("Azure SAS", "https://x.blob.core.windows.net/c?sv=2022&sig={}&se=1", draw(43, AN) + "%3D"),
    ("Azure client", "{}", draw(3) + "8Q~" + draw(34)),
    ("RSA PEM", "{}", pem("RSA PRIVATE KEY")),
    ("PKCS8 PEM", "{}", pem("PRIVATE KEY")),
    ("OpenSSH PEM", "key:\n{}\n", pem("OPENSSH PRIVATE KEY")),
    ("PEM in JSON", '"private_key": "{}"', pem("PRIVATE KEY").replace("\n", "\\n")),
    ("URL userinfo", "postgres://app:{}@db.internal:5432/main", "tR7xw2Kq9"),
    ("URL redis", "redis://:{}@10.0.0.3:6379/0", "p4ssKq81zzT"),
    ("URL git", "https://deploy:{}@git.corp.net/x.git", "Vq3-88aLm_0"),
    ("password code", 'password = "{}"', "kT9#vLq2x!"),
    ("password yaml", "db_password: {}", "Zk81LmQx77tw"),
    ("password env", "DB_PASSWORD={}", "h7Kq29xVnW3s"),
    ("password json", '"password": "{}"', "xK82_mQp!7w"),
    ("password js", "const apiKey = '{}'", "9f8a7Kx2LmQ0vTz4"),
    ("password said", "the password is {}.", "gR8kk2Lw9q"),
    ("password German", "das Passwort lautet {}", "gR8kk2Lw9q"),
    ("password flag", "mysql --password={} -u root", "u8Jq2mXz1"),
    ("secret key", 'SECRET_KEY = "{}"', draw(50, AN + "!@#$%^&*(-_=+)")),
    ("Basic auth", "Authorization: Basic {}", base64.b64encode(b"ops:tR7xw2Kq9zz81").decode()),
    ("bearer opaque", '-H "Authorization: Bearer {}"', draw(40)),
]

REDACTOR = Redactor()

HARMLESS = [
    "commit 0b20f95e8c7d6a5b4c3d2e1f0a9b8c7d6e5f4a3b",
    "id = 'b1c7f8de-51a2-4ce1-9a0b-7d36f8a0c215'",
    "token = 'b1c7f8de-51a2-4ce1-9a0b-7d36f8a0c215'",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    'password = "test"',
    'password = "correct-horse"',
    'password = "your-password-1"',
    'password = os.environ["DB_PASSWORD_2"]',
    'api_key = f"{settings.api_key_v2}"',
    "DB_PASSWORD=${DB_PASSWORD_1}",
    "postgres://postgres:postgres@localhost:5432/db",
    "https://user:password@host.example/x",
    "https://{user}:{password1}@host/x",
    "token = tokenizer.next_token(tokens[2])",
    "TOKEN_TYPES = {'sha256_digest': 1}",
    "the key sk-something is no key, nor is ghp_ or AKIA",
    "Authorization: Bearer <your-token-1>",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "def secret(self) -> str: return self.secret2",
    "basic authentication2 is described below",
    "-----BEGIN CERTIFICATE-----\nMIIB8TCCAVqgAwIBAgIUQ\n-----END CERTIFICATE-----",
]


@pytest.mark.parametrize(("name", "around", "secret"), SECRETS, ids=[one[0] for one in SECRETS])
def test_a_secret_is_taken_out_and_the_lines_stay(name: str, around: str, secret: str) -> None:
    before, after = around.split("{}")
    text = f"first line\n{before}{secret}{after}\nlast line"

    redacted, count = REDACTOR.redact(text)

    core = secret.split("-----")[2].strip()[:40] if "-----" in secret else secret
    assert count == 1
    assert core not in redacted
    assert "[redacted " in redacted
    assert redacted.count("\n") == text.count("\n")
    assert redacted.startswith(f"first line\n{before}"[:18])
    assert redacted.endswith("\nlast line")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert REDACTOR.redact(text) == (text, 0)


def test_every_rule_that_names_a_vendor_is_shown_by_an_example_or_is_a_variant_of_one() -> None:
    found = {REDACTOR.redact(around.replace("{}", secret))[0] for _, around, secret in SECRETS}

    unshown = {rule.name for rule in RULES if not any(f"[redacted {rule.name}]" in text for text in found)}

    assert unshown <= UNSHOWN


UNSHOWN = {
    "PuTTY key",
    "age key",
    "GitLab runner token",
    "xAI key",
    "Perplexity key",
    "Replicate token",
    "Grafana token",
    "Sentry token",
    "Postman key",
    "Artifactory key",
}


texts = st.lists(
    st.one_of(
        st.sampled_from([around.replace("{}", secret) for _, around, secret in SECRETS]),
        st.sampled_from([secret for _, _, secret in SECRETS]),
        st.sampled_from([literal for rule in RULES for literal in rule.literals]),
        st.sampled_from([*HARMLESS, "\n", " ", '"', "=", "key: ", "[redacted secret]", "İ"]),
        st.text(max_size=20),
    ),
    max_size=12,
).map("".join)


@given(text=texts)
def test_a_second_time_nothing_is_taken_out(text: str) -> None:
    redacted, count = REDACTOR.redact(text)

    assert REDACTOR.redact(redacted) == (redacted, 0)
    assert (redacted == text) is (count == 0)


@given(text=texts)
def test_no_line_comes_or_goes(text: str) -> None:
    assert REDACTOR.redact(text)[0].count("\n") == text.count("\n")


@given(text=st.text(alphabet="abcdefghij \n.,()", max_size=400))
def test_text_without_a_rule_s_literal_is_the_same_text(text: str) -> None:
    assert REDACTOR.redact(text) == (text, 0)


def test_what_the_settings_allow_stays() -> None:
    secret = "ghp_" + draw(36)
    text = f"{secret} and ghp_{draw(36)}"

    by_digest, others = Redactor([secret_digest(secret)[:30]]).redact(text)
    by_pattern, _ = Redactor(["ghp_.*"]).redact(text)

    assert secret in by_digest
    assert others == 1
    assert by_pattern == text


def test_a_pattern_allows_whole_secrets_only() -> None:
    secret = "ghp_" + draw(36)

    assert Redactor(["ghp_"]).redact(secret) == ("[redacted GitHub token]", 1)


@pytest.mark.parametrize("wrong", ["(", "sha256:zz", "sha256:12"])
def test_what_allows_nothing_is_an_error(wrong: str) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        Redactor([wrong])

    assert caught.value.key == "redaction.allow"


@pytest.mark.parametrize(
    "value", ["kT9#vLq2x!", "9f8a7Kx2LmQ0vTz4", "h7Kq29xVnW3s", "5f4dcc3b5aa765d61d8327deb882cf99"]
)
def test_a_password_looks_made_up(value: str) -> None:
    assert is_made_up(value)


@pytest.mark.parametrize(
    "value", ["password", "utf-8", "tokens-v2", "sha256_digest", "${SECRET1}", "aaaaaaaa1", "MY_TOKEN"]
)
def test_a_name_does_not_look_made_up(value: str) -> None:
    assert not is_made_up(value)


@pytest.mark.parametrize("unit", ["xoxb-1-", "eyJ-", "aws key ", "token_1", "://1a", "-----BEGIN PRIVATE KEY-----\\n"])
def test_text_that_is_made_to_cost_costs_no_more_than_its_length(unit: str) -> None:
    """Work that grew with the square of it would take minutes here."""
    text = unit * (300_000 // len(unit))
    begun = time.process_time()

    REDACTOR.redact(text)

    assert time.process_time() - begun < 5
