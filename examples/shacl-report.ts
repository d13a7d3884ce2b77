// Hold data to SHACL shapes and read the report as plain objects, then as Turtle.

import { parseRdf } from '@cairn/rdf-graph';
import { readReport, validate, writeReport } from '@cairn/rdf-graph/shacl';

async function turtle(text: string) {
  const quads = [];
  for await (const quad of parseRdf(text, { contentType: 'text/turtle' })) quads.push(quad);
  return quads;
}

const data = await turtle(`
  @prefix : <http://apollo.example/> .
  :apollo11 a :Mission ; :launched "1969-07-16" ; :commander :armstrong .
  :apollo13 a :Mission ; :launched "April 1970" .`);

const shapes = await turtle(`
  @prefix : <http://apollo.example/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
  :MissionShape a sh:NodeShape ; sh:targetClass :Mission ; sh:property
    [ sh:path :launched ; sh:pattern "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" ; sh:message "a launch is a date such as 1969-07-16" ] ,
    [ sh:path :commander ; sh:minCount 1 ; sh:severity sh:Warning ] .`);

const report = await validate(data, shapes);
const { conforms, results } = readReport(report);
console.log('conforms:', conforms);
for (const { focusNode, path, value, severity, message } of results) {
  console.log(`${severity} at ${focusNode}, ${path}${value === undefined ? '' : ` "${value}"`}: ${message}`);
}
console.log((await writeReport(report)).split('\n').slice(0, 4).join('\n'));

const wrong = await turtle('<http://e/S> <http://www.w3.org/ns/shacl#minCount> "many" .');
console.log(await validate(data, wrong).catch((error: Error) => error.message));

/* Prints:
conforms: false
Warning at http://apollo.example/apollo13, http://apollo.example/commander: Less than 1 values
Violation at http://apollo.example/apollo13, http://apollo.example/launched "April 1970": a launch is a date such as 1969-07-16
@prefix sh: <http://www.w3.org/ns/shacl#>.

_:report a sh:ValidationReport;
    sh:conforms false;
ill-formed shapes: <http://e/S>: sh:minCount must stand in a property shape: there is no sh:path; <http://e/S>: sh:minCount must be an xsd:integer; got "many"
*/
