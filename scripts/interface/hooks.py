"""What an OpenAPI description cannot say of Cairn's interface, said to the program that generates requests from it.

Each exception names the check that it is about, and the refusal by its code; anything else is a failure.
"""

import re

import schemathesis
from hypothesis import strategies as st

# Texts in a language of their own: no JSON Schema tells a sentence of it from another text.
LANGUAGE_CODES = {"ERR_QUERY_SYNTAX", "ERR_FACET", "ERR_BOOST", "ERR_CURSOR", "ERR_IRI", "ERR_SPARQL_SYNTAX", "ERR_RDF_SYNTAX", "ERR_RDF_TARGET", "ERR_SECURITY_LABEL", "ERR_UPLOAD_LABEL", "ERR_SHACL_TARGET", "ERR_FIELD_BOOST", "ERR_POLICY_INFORMATION"}

# Refusals by what is stored.
STATE_CODES = {"ERR_NO_MATCHING_ENTITY"}

# Refusals by the configuration or by two parameters together.
TOGETHER = re.compile(r"must be canonical base64|exclude each other|is required with|indices must be among|must be 1 with after|must be given; got neither|must be at most 8 keys")

TEXT_TYPES = (
    "application/n-quads",
    "application/n-triples",
    "application/rdf+xml",
    "application/sparql-query",
    "application/sparql-update",
    "application/trig",
    "text/turtle",
)

# Sentences of the languages, so that requests get past their parsers.
SENTENCES = {
    "sparql-query": [
        "SELECT * { ?s ?p ?o } LIMIT 3",
        "ASK { ?s ?p ?o }",
        "CONSTRUCT WHERE { ?s a ?o } ",
        "DESCRIBE <https://example.org/apollo/id/apollo-11>",
        "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }",
    ],
    "sparql-update": [
        'INSERT DATA { <https://example.org/s> <https://example.org/p> "o" }',
        "DELETE WHERE { <https://example.org/s> ?p ?o }",
        "DELETE { ?s ?p 1 } INSERT { ?s ?p 2 } WHERE { ?s ?p 1 }",
    ],
    "graphql": ["{ __typename }", "query Q { __schema { queryType { name } } }"],
}

for name, texts in SENTENCES.items():
    schemathesis.openapi.format(name, st.sampled_from(texts))

_lists_in_forms = set()


@schemathesis.serializer(*TEXT_TYPES)
def as_text(context, value):
    """A text is sent as it is; the generator would wrap RDF/XML once more and knows none of the others."""
    return str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for path, methods in raw_schema["paths"].items():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {})
            form = content.get("application/x-www-form-urlencoded", {}).get("schema", {})
            _lists_in_forms.update(name for name, field in form.get("properties", {}).items() if field["type"] == "array")
            _name_languages(path, operation, content)


def _name_languages(path, operation, content):
    graphql = re.search("/(graphql|validate)$", path) is not None
    query = "graphql" if graphql else "sparql-query" if "/graph/" in path else None
    if query is None:
        return
    for parameter in operation["parameters"]:
        if parameter["name"] == "query":
            parameter["schema"] = {"type": "string", "format": query}
    for type_, media in content.items():
        fields = media["schema"].get("properties", {})
        if "query" in fields:
            fields["query"] = {"type": "string", "format": query}
        if "update" in fields:
            fields["update"] = {"type": "string", "format": "sparql-update"}
        if type_.startswith("application/sparql-"):
            media["schema"] = {"type": "string", "format": type_.removeprefix("application/")}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not any(excuse(failure, case, response) for excuse in EXCUSES)


def is_list_of_one(failure, case, response):
    """In a form a single value is a list of one."""
    found = re.search(r"in body - ([\w-]+): Incorrect type", failure.message)
    is_form = case.media_type == "application/x-www-form-urlencoded"
    return is_form and found is not None and found.group(1) in _lists_in_forms


def is_text_anyway(failure, case, response):
    """Whatever is sent as text is text: a number is a (bad or good) sentence of the language."""
    return case.media_type in TEXT_TYPES and "in body - incorrect type" in failure.message


def is_no_sentence(failure, case, response):
    """A text that its language does not know, or that what is stored or another parameter forbids."""
    if "should have been accepted" not in failure.message or response.status_code != 400:
        return False
    body = response.json()
    if "errors" in body:
        return True
    code = body.get("code")
    is_together = code in {"ERR_PARAMETER", "ERR_PARAMETERS", "ERR_REQUEST"} and TOGETHER.search(body["detail"]) is not None
    return code in LANGUAGE_CODES or code in STATE_CODES or is_together


def is_no_part(failure, case, response):
    """The generator writes names of parts with characters that no header may hold."""
    return case.media_type == "multipart/form-data" and "ERR_MULTIPART" in response.text


def is_of_our_own_format(failure, case, response):
    """The formats of the languages are this file's, not the description's: an empty update is an update."""
    return "violates `format`" in failure.message


def is_no_token(failure, case, response):
    """What is no JWT at all is a bad request (RFC 6750, invalid_request); a JWT that is not valid is a 401."""
    return "ERR_TOKEN_UNUSABLE" in str(failure) or ("invalid credentials" in failure.message and "400" in failure.message)


EXCUSES = (is_no_part, is_of_our_own_format, is_list_of_one, is_text_anyway, is_no_sentence, is_no_token)
