/**
 * An ontology checked against the rules before anybody loads it, and styles for its classes.
 */
import {
  checkOntology,
  createOntologyModel,
  createStyle,
  createStyleResolver,
  hasSeverity,
  readOntology,
  toFlatStyle,
  toStyleTurtle,
} from '@cairn/ontology';

const text = `@prefix : <https://example.org/harbour#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .

:Vessel a owl:Class ; rdfs:subClassOf owl:Thing ; rdfs:label "Vessel"@en ; rdfs:comment "Floats."@en .
:Tug a owl:Class ; rdfs:subClassOf :Vessle .
`;

// Nothing is thrown because of what an author wrote; what is wrong comes as findings, in the order of the text.
const findings = await checkOntology({ text, contentType: 'text/turtle' });
for (const { rule, severity, line, message } of findings) console.log(`${line}: ${severity} ${rule}: ${message}`);
console.log('may be loaded:', !hasSeverity(findings, 'error'));

// A style is a JSON object, stored as one literal beside the class. Subclasses may inherit it.
const mended = text.replace(':Vessle', ':Vessel ; rdfs:label "Tug"@en');
const style = createStyle({ shape: 'diamond', faIcon: 'fa-solid fa-ship', dark: { color: '#5DADE2' } });
const styled = mended + toStyleTurtle('https://example.org/harbour#Vessel', style);
console.log('findings:', (await checkOntology({ text: styled, contentType: 'text/turtle' })).length);

const { quads } = await readOntology({ text: styled, contentType: 'text/turtle' });
const resolver = createStyleResolver(createOntologyModel(quads), { inherit: true });
for (const name of ['Tug', 'Vessel', 'NeverHeardOf']) {
  const { shape, color, iconFallbackText } = toFlatStyle(
    resolver.resolve(`https://example.org/harbour#${name}`),
    'dark',
  );
  console.log(name, shape, color, iconFallbackText);
}

/* Prints:
6: warning parent-known: https://example.org/harbour#Tug extends https://example.org/harbour#Vessle, which is not declared
6: error name: https://example.org/harbour#Tug has no human-readable name; expected rdfs:label or skos:prefLabel
may be loaded: false
findings: 0
Tug diamond #5DADE2 T
Vessel diamond #5DADE2 V
NeverHeardOf ellipse #DDDDDD NHO
*/
