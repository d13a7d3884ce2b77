import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { indexQuads } from '../data/indexed-graph.ts';
import { parse } from '../testing/graphs.ts';
import { checkShapes } from './check-shapes.ts';
import { describeProblem } from './shape-problem.ts';

async function problems(text: string): Promise<string[]> {
  return runAtOnce(checkShapes(indexQuads(await parse(text)))).map(describeProblem);
}

const INTEGER = 'must be an xsd:integer; got';

/** Shapes and what is wrong with them, without the shape's name. */
const ILL_FORMED: readonly (readonly [shape: string, problem: string])[] = [
  [':S sh:path :p ; sh:minCount "many" .', `sh:minCount ${INTEGER} "many"`],
  [':S sh:path :p ; sh:minCount 1.5 .', `sh:minCount ${INTEGER} "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>`],
  [':S sh:path :p ; sh:minCount "x"^^xsd:integer .', 'sh:minCount must be an xsd:integer'],
  [':S sh:path :p ; sh:minCount 1, 2 .', 'sh:minCount must have one value; got 2'],
  [':S sh:path :p ; sh:maxCount 1, 2 .', 'sh:maxCount must have one value; got 2'],
  [':S sh:minCount 1 .', 'sh:minCount must stand in a property shape: there is no sh:path'],
  [':S sh:uniqueLang true .', 'sh:uniqueLang must stand in a property shape'],
  [':S sh:lessThan :p .', 'sh:lessThan must stand in a property shape'],
  [':S sh:in :x .', 'sh:in must be an RDF list'],
  [':S sh:in "x" .', 'sh:in must be an RDF list'],
  [':S sh:in (1), (2) .', 'sh:in must have one value; got 2'],
  [':S sh:nodeKind sh:Iri .', 'sh:nodeKind must be one of sh:BlankNode, sh:IRI'],
  [':S sh:nodeKind :IRI .', 'sh:nodeKind must be one of'],
  [':S sh:datatype "xsd:string" .', 'sh:datatype must be an IRI; got "xsd:string"'],
  [':S sh:datatype xsd:string, xsd:integer .', 'sh:datatype must have one value; got 2'],
  [':S sh:class "C" .', 'sh:class must be an IRI'],
  [':S sh:pattern "(" .', 'sh:pattern must be a regular expression'],
  [':S sh:pattern "(a)\\\\1" .', 'sh:pattern must be a regular expression that runs in linear time'],
  [':S sh:pattern "a" ; sh:flags "k" .', 'sh:pattern must be a regular expression'],
  [':S sh:pattern :a .', 'sh:pattern must be an xsd:string'],
  [`:S sh:pattern "${'a'.repeat(10_001)}" .`, 'sh:pattern must have at most 10000 characters; got 10001'],
  [':S sh:minLength "3" .', `sh:minLength ${INTEGER} "3"`],
  [':S sh:maxInclusive :a .', 'sh:maxInclusive must be a literal'],
  [':S sh:languageIn ( :en ) .', 'sh:languageIn each member must be an xsd:string'],
  [':S sh:ignoredProperties ( "p" ) ; sh:closed true .', 'sh:ignoredProperties each member must be an IRI'],
  [':S sh:closed "yes" .', 'sh:closed must be an xsd:boolean'],
  [':S sh:equals "p" .', 'sh:equals must be an IRI'],
  [':S sh:not "x" .', 'sh:not must be a shape'],
  [':S sh:and :x .', 'sh:and must be an RDF list'],
  [':S sh:or ( "x" ) .', 'sh:or each member must be a shape'],
  [':S sh:property [ sh:minCount 1 ] .', 'sh:path must be there: it is a property shape'],
  [':S a sh:PropertyShape .', 'sh:path must be there'],
  [':S a sh:NodeShape ; sh:path :p .', 'sh:path must not be there: it is a node shape'],
  [':S sh:path :p, :q ; sh:minCount 1 .', 'sh:path must have one value; got 2'],
  [':S sh:path "p" ; sh:minCount 1 .', 'sh:path must be an IRI or a path in a blank node'],
  [':S sh:path ( :p ) ; sh:minCount 1 .', 'sh:path must list at least 2 paths; got 1'],
  [':S sh:path [ sh:alternativePath :p ] ; sh:minCount 1 .', 'sh:path is no path'],
  [':S sh:path [ ] ; sh:minCount 1 .', 'sh:path is no path'],
  [':S sh:path [ sh:inversePath :p ; sh:zeroOrMorePath :q ] ; sh:minCount 1 .', 'sh:path must have one of'],
  [':S sh:path [ sh:inversePath "p" ] ; sh:minCount 1 .', 'sh:path must be an IRI or a path in a blank node'],
  [':S sh:path _:a ; sh:minCount 1 . _:a sh:zeroOrMorePath _:a .', 'sh:path must nest at most 50 paths'],
  [
    ':S sh:path _:a ; sh:minCount 1 . _:a rdf:first :p ; rdf:rest _:a .',
    'sh:path is no path: it must be an RDF list with an end',
  ],
  [':S sh:targetClass "C" .', 'sh:targetClass must be an IRI'],
  [':S sh:targetNode [] .', 'sh:targetNode must be an IRI or a literal'],
  [':S sh:severity "bad" .', 'sh:severity must be an IRI'],
  [':S sh:nodeKind sh:IRI ; sh:message 5 .', 'sh:message must be a text'],
  [':S sh:in _:l . _:l rdf:first 1 ; rdf:rest _:l .', 'sh:in must be an RDF list with an end; it loops'],
  [':S sh:in _:a . _:a rdf:first 1 ; rdf:rest _:b . _:b rdf:first 2 ; rdf:rest _:a .', 'it loops'],
  [':S sh:in _:l . _:l rdf:first 1, 2 ; rdf:rest () .', 'one rdf:first and one rdf:rest per node; got 2 and 1'],
  [':S sh:in _:l . _:l rdf:first 1 .', 'one rdf:first and one rdf:rest per node; got 1 and 0'],
  [':S sh:node :S .', 'sh:node must not lead back to the shape itself'],
  [':S sh:path :p ; sh:property :S .', 'sh:property must not lead back'],
  [':S sh:and ( :T ) . :T sh:not :S .', 'must not lead back to the shape itself'],
  [':S sh:path :p ; sh:qualifiedValueShape [ sh:xone ( :S ) ] ; sh:qualifiedMinCount 1 .', 'must not lead back'],
  [':S sh:sparql [ sh:select "x" ] .', 'sh:sparql is beyond SHACL Core'],
  [':S sh:targetNode :n ; sh:minCuont 3 .', 'sh:minCuont is beyond SHACL Core, or misspelt'],
  [':S sh:minCuont 3 .', 'sh:minCuont is beyond SHACL Core'],
  [':S sh:path :p ; sh:memberShape :T .', 'sh:memberShape is beyond SHACL Core'],
  [':S sh:path :p ; sh:singleLine true .', 'sh:singleLine is beyond SHACL Core'],
  [':S sh:path :p ; sh:reifierShape :T .', 'sh:reifierShape is beyond SHACL Core'],
  [':S sh:targetNode :n ; sh:rootClass :C .', 'sh:rootClass is beyond SHACL Core'],
  [':S sh:targetWhere [ sh:class :C ] .', 'sh:targetWhere is beyond SHACL Core'],
  [':S sh:targetNode :n ; sh:zeroOrMorePath :p .', 'sh:zeroOrMorePath is beyond SHACL Core'],
  [':S a sh:ShapeClass ; sh:class :C .', 'sh:ShapeClass is beyond SHACL Core'],
  ['<> sh:entailment <http://www.w3.org/ns/entailment/RDFS> .', 'sh:entailment is beyond SHACL Core'],
  [':S sh:targetNode :n ; :max 1 . :C sh:parameter [ sh:path :max ] .', '<http://e/max> is beyond SHACL Core'],
];

describe('the check of shapes', () => {
  it.each(ILL_FORMED)('refuses %s', async (shape, problem) => {
    expect((await problems(shape)).join('\n')).toContain(problem);
  });

  it('takes an IRI for a predicate path whatever is said of it', async () => {
    const said = [
      'rdf:first :p ; rdf:rest :seq',
      'sh:inversePath :seq',
      'sh:alternativePath :seq',
      'sh:zeroOrMorePath [ sh:oneOrMorePath :seq ]',
      'rdf:first 1',
    ];
    for (const what of said) {
      expect(await problems(`:S sh:path :seq ; sh:minCount 1 . :seq ${what} .`), what).toEqual([]);
    }
  });

  it('refuses paths whose parts repeat to more than a thousand steps', async () => {
    const doubled = Array.from({ length: 40 }, (_, i) => `_:n${i} rdf:first _:n${i + 1} ; rdf:rest ( _:n${i + 1} ) .`);
    const found = await problems(`:S sh:path _:n0 ; sh:minCount 1 . ${doubled.join(' ')} _:n40 sh:oneOrMorePath :p .`);
    expect(found).toEqual([expect.stringContaining('sh:path must have at most 1000 steps')]);
  });

  it('gives at most a thousand problems of shapes that share a list', async () => {
    const list = Array.from({ length: 200 }, (_, i) => `"${i}"`).join(' ');
    const shapes = Array.from({ length: 50 }, (_, i) => `:s${i} sh:and _:list .`).join('\n');
    const [head, ...rest] = list.split(' ');
    const text = `${shapes} _:list rdf:first ${head} ; rdf:rest ( ${rest.join(' ')} ) .`;
    expect(await problems(text)).toHaveLength(1000);
  });

  it('names the shape', async () => {
    expect(await problems(':S sh:nodeKind :x .')).toEqual([
      expect.stringMatching(/^<http:\/\/e\/S>: sh:nodeKind must be/),
    ]);
  });

  it('finds nothing wrong with every parameter used as it should be', async () => {
    const shapes = `
      :S a sh:NodeShape ; sh:targetClass :C ; sh:targetNode :n, "n" ; sh:targetSubjectsOf :p ; sh:targetObjectsOf :p ;
        sh:closed true ; sh:ignoredProperties ( rdf:type ) ; sh:severity sh:Warning ; sh:message "m", "m"@en ;
        sh:property :P, [ sh:path ( :p [ sh:inversePath :q ] [ sh:alternativePath ( :a :b ) ] [ sh:zeroOrMorePath :c ] ) ] ;
        sh:and ( [ sh:nodeKind sh:IRI ] ) ; sh:or ( ) ; sh:xone ( :T ) ; sh:not [ sh:hasValue 1 ] ; sh:node :T .
      :T sh:in ( 1 "a" :b ) ; sh:equals :p ; sh:disjoint :q ; sh:class :C, :D ; sh:deactivated false .
      :P a sh:PropertyShape ; sh:path :p ; sh:minCount 0 ; sh:maxCount 1 ; sh:datatype xsd:string ; sh:pattern "^a", "b$" ;
        sh:flags "i" ; sh:minLength 1 ; sh:maxLength 2 ; sh:languageIn ( "en" ) ; sh:uniqueLang true ; sh:lessThan :q ;
        sh:lessThanOrEquals :q ; sh:minExclusive 1 ; sh:maxInclusive "2020-01-01"^^xsd:date ; sh:name "p" ; sh:order 1 ;
        sh:qualifiedValueShape :T ; sh:qualifiedMinCount 1 ; sh:qualifiedMaxCount 2 ; sh:qualifiedValueShapesDisjoint true .`;
    expect(await problems(shapes)).toEqual([]);
  });

  it('finds nothing wrong with words that say nothing about which data conform', async () => {
    const words = `
      <> sh:declare [ sh:prefix "e" ; sh:namespace "http://e/" ] ; sh:shapesGraph <> .
      :S a sh:NodeShape ; :optional 1 ; sh:property [ sh:path :p ; sh:order 1 ; sh:group :G ; sh:defaultValue 1 ] .
      :G a sh:PropertyGroup ; sh:order 1 .
      :C a sh:ConstraintComponent ; sh:validator [ a sh:SPARQLAskValidator ; sh:ask "ASK {}" ; sh:prefixes <> ] ;
        sh:parameter [ a sh:Parameter ; sh:path :max ], [ sh:path :optional ; sh:optional true ] .
      [] a sh:ValidationReport ; sh:conforms false ; sh:result [ a sh:ValidationResult ; sh:focusNode :x ; sh:value 1 ;
        sh:resultPath :p ; sh:resultSeverity sh:Violation ; sh:resultMessage "m" ; sh:sourceShape :S ] .
      :data :max 1 .`;
    expect(await problems(words)).toEqual([]);
  });

  it('names a word once for each shape', async () => {
    expect(await problems(':S sh:targetNode :n ; sh:rootClass :A, :B .')).toHaveLength(1);
  });

  it('lets shapes share a shape, and refuses chains that are too long', async () => {
    expect(await problems(':A sh:node :C . :B sh:node :C . :D sh:and ( :A :B :C ) . :C sh:nodeKind sh:IRI .')).toEqual(
      [],
    );
    const chain = Array.from({ length: 100 }, (_, i) => `:s${i} sh:node :s${i + 1} .`).join('\n');
    expect((await problems(chain)).join('\n')).toContain('must not lead through more than 64 shapes');
  });
});
