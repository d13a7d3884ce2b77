// Writes the Apollo demo set from its facts: node test-fixtures/apollo/make.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pdf as writePdf } from '../formats/make/pdf.mjs';
import { zip } from '../formats/make/zip.mjs';
import { CLASSES, PROPERTIES } from './classes.mjs';
import { ASTRONAUTS, MISSION_NAMES, MISSIONS, PLACES, ROCKETS, ROMAN, SHIPS } from './facts.mjs';
import { TEXTS } from './texts.mjs';

const here = import.meta.dirname;

const NS = 'https://example.org/apollo/';
const PREFIXES = {
  ap: `${NS}id/`,
  ao: `${NS}ontology#`,
  ies: 'http://ies.data.gov.uk/ontology/ies4#',
  owl: 'http://www.w3.org/2002/07/owl#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
};
const prolog = Object.entries(PREFIXES).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`).join('\n');
const text = (value, lang) => JSON.stringify(value) + (lang === undefined ? '' : `@${lang}`);

function write(file, content) {
  const full = path.join(here, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
}

/** One subject with its predicates and objects as Turtle. */
function block(subject, pairs) {
  const lines = pairs.filter(([, objects]) => objects.length > 0).map(([predicate, objects]) => `  ${predicate} ${objects.join(', ')}`);
  return `${subject}\n${lines.join(' ;\n')} .\n`;
}

function vehicles() {
  const out = [];
  for (const { n, csm, lm, rover } of MISSIONS) {
    const [serial, call] = csm;
    out.push(block(`ap:${serial.toLowerCase()}`, [['a', ['ao:CommandServiceModule']], ['rdfs:label', [text(call ?? serial, 'en')]], ['skos:altLabel', call === null ? [] : [text(serial)]]]));
    if (lm !== undefined) out.push(block(`ap:${lm[0].toLowerCase()}`, [['a', ['ao:LunarModule']], ['rdfs:label', [text(lm[1], 'en')]], ['skos:altLabel', [text(lm[0]), text(`lunar module ${lm[1]}`)]]]));
    if (rover !== undefined) out.push(block(`ap:${rover.toLowerCase()}`, [['a', ['ao:LunarRover']], ['rdfs:label', [text(`Lunar rover of Apollo ${n}`, 'en')]], ['skos:altLabel', [text(rover)]]]));
  }
  for (const [key, name] of Object.entries(ROCKETS)) out.push(block(`ap:${key}`, [['a', ['ao:LaunchVehicle']], ['rdfs:label', [text(name, 'en')]]]));
  for (const [key, name] of Object.entries(SHIPS)) out.push(block(`ap:${key}`, [['a', ['ao:RecoveryShip']], ['rdfs:label', [text(name, 'en')]]]));
  return out;
}

function people() {
  return Object.entries(ASTRONAUTS).map(([key, [name, spellings, born]]) =>
    block(`ap:${key}`, [['a', ['ao:Astronaut']], ['rdfs:label', [text(name, 'en')]], ['skos:altLabel', spellings.map((spelling) => text(spelling))], ['ao:bornIn', [`"${born}"^^xsd:gYear`]]]));
}

function places() {
  return Object.entries(PLACES).map(([key, [type, name, lat, long]]) =>
    block(`ap:${key}`, [['a', [`ao:${type}`]], ['rdfs:label', [text(name, 'en')]], ['geo:lat', [String(lat)]], ['geo:long', [String(long)]]]));
}

function missions() {
  return MISSIONS.map(({ n, launch, crew, csm, lm, rover, rocket, pad, ship, site, splash }) => {
    const names = Object.entries(MISSION_NAMES).map(([lang, pattern]) => text(pattern.replace('%', String(n)), lang));
    const used = [csm[0], lm?.[0], rover, rocket].filter((item) => item !== undefined).map((item) => `ap:${item.toLowerCase()}`);
    return block(`ap:apollo-${n}`, [
      ['a', ['ao:Mission']],
      ['rdfs:label', names],
      ['skos:altLabel', ROMAN[n] === undefined ? [] : [text(`Apollo ${ROMAN[n]}`)]],
      ['ao:commandedBy', [`ap:${crew[0]}`]],
      ['ao:crewMember', crew.map((member) => `ap:${member}`)],
      ['ao:usedVehicle', used],
      ['ao:launchedFrom', [`ap:${pad}`]],
      ['ao:landedAt', site === undefined ? [] : [`ap:${site}`]],
      ['ao:recoveredBy', [`ap:${ship}`]],
      ['ao:launchTime', [`"${launch}"^^xsd:dateTime`]],
      ['ao:splashdownTime', [`"${splash}"^^xsd:dateTime`]],
    ]);
  });
}

/** A state of a mission with its bounding states and their periods, in the vocabulary of IES. */
function state(n, phase, type, label, start, end) {
  const id = `ap:apollo-${n}-${phase}`;
  const bound = (name, instant) => [
    block(`${id}-${name}`, [['a', ['ao:State']], [name === 'start' ? 'ies:isStartOf' : 'ies:isEndOf', [id]], ['ies:inPeriod', [`${id}-${name}-period`]]]),
    block(`${id}-${name}-period`, [['a', ['ies:ParticularPeriod']], ['ies:iso8601PeriodRepresentation', [text(instant)]]]),
  ];
  return [
    block(id, [['a', [`ao:${type}`]], ['rdfs:label', [text(label, 'en')]], ['ies:isStateOf', [`ap:apollo-${n}`]]]),
    ...bound('start', start),
    ...bound('end', end),
  ];
}

function phases() {
  return MISSIONS.flatMap(({ n, launch, splash, landing, ascent }) => [
    ...state(n, 'flight', 'MissionPhase', `Flight of Apollo ${n}`, launch, splash),
    ...(landing === undefined ? [] : state(n, 'surface', 'SurfaceStay', `Surface stay of Apollo ${n}`, landing, ascent)),
  ]);
}

const anomalies = [
  block('ap:tank-2-failure', [['a', ['ao:Anomaly']], ['rdfs:label', [text('Failure of oxygen tank 2', 'en')]], ['skos:altLabel', [text('oxygen tank 2')]], ['rdfs:comment', [text('Thermostat switches rated for 28 volts were run at 65.', 'en')]]]),
  block('ap:apollo-13', [['ao:suffered', ['ap:tank-2-failure']]]),
];
const budget = [
  block('ap:apollo-18', [['a', ['ao:Mission']], ['rdfs:label', [text('Apollo 18', 'en')]], ['rdfs:comment', [text('Cancelled in September 1970.', 'en')]]]),
];

function style([, , , accent, shape, riIcon, faIcon, faUnicode]) {
  return JSON.stringify({
    defaultStyles: {
      size: 'M',
      dark: { backgroundColor: '#17202A', color: accent },
      light: { backgroundColor: '#1B2631', color: accent },
      shape,
      borderRadius: '9999px',
      borderWidth: '2px',
      selectedBorderWidth: '3px',
    },
    defaultIcons: { riIcon, faIcon, faUnicode, faClass: faIcon.split(' ')[0] },
  });
}

function ontology() {
  const classes = CLASSES.map((row) =>
    block(`ao:${row[0]}`, [['a', ['owl:Class']], ['rdfs:subClassOf', row[1].length === 0 ? ['owl:Thing'] : row[1].map((parent) => `ao:${parent}`)], ['rdfs:label', [text(row[2], 'en')]], ['<http://telicent.io/ontology/style>', [text(style(row))]]]));
  const relations = PROPERTIES.map(([name, parent, label, domain, range]) =>
    block(`ao:${name}`, [['a', ['owl:ObjectProperty']], ['rdfs:subPropertyOf', [parent === null ? 'owl:topObjectProperty' : `ao:${parent}`]], ['rdfs:label', [text(label, 'en')]], ['rdfs:domain', [`ao:${domain}`]], ['rdfs:range', [`ao:${range}`]]]));
  const attributes = [['launchTime', 'launch time', 'xsd:dateTime'], ['splashdownTime', 'splashdown time', 'xsd:dateTime'], ['bornIn', 'born in', 'xsd:gYear']].map(([name, label, range]) =>
    block(`ao:${name}`, [['a', ['owl:DatatypeProperty']], ['rdfs:subPropertyOf', ['owl:topDataProperty']], ['rdfs:label', [text(label, 'en')]], ['rdfs:range', [range]]]));
  return [...classes, ...relations, ...attributes];
}

const html = ({ title, author, lang = 'en', text: paragraphs }) => `<!DOCTYPE html>
<html lang="${lang}">
<head><meta charset="utf-8"><title>${title}</title><meta name="author" content="${author}"></head>
<body><h1>${title}</h1>
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</body></html>
`;
const eml = ({ title, author, text: paragraphs }) =>
  [`From: ${author}`, 'To: flight@example.org', `Subject: ${title}`, 'Date: Mon, 04 Dec 1972 09:00:00 +0000', 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', '', ...paragraphs, ''].join('\r\n');
const csv = ({ rows }) => rows.map((row) => row.map((cell) => (/[",]/.test(cell) ? JSON.stringify(cell) : cell)).join(',')).join('\n');
const escapeXml = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;');

function docx({ title, author, text: paragraphs }) {
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const body = [title, ...paragraphs].map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`).join('');
  const parts = {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'word/document.xml': `${declaration}<w:document xmlns:w="${w}"><w:body>${body}</w:body></w:document>`,
    'docProps/core.xml': `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator></cp:coreProperties>`,
  };
  return zip(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

function pdf({ title, author, text: paragraphs }) {
  const lines = paragraphs.flatMap((paragraph) =>
    wrap(paragraph, 88).map((words, at) => ({ text: words, size: 11, x: 56, gap: at === 0 ? 24 : 15.4 })),
  );
  const date = 'D:19721219192459Z';
  const info = { Title: title, Author: author, CreationDate: date, ModDate: date };
  return writePdf({ info, pages: [[{ text: title, size: 18, x: 56 }, ...lines]] });
}

function wrap(paragraph, width) {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const last = lines[lines.length - 1];
    if (last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

const WRITERS = { html, eml, csv, docx, pdf, txt: ({ title, text: t }) => `${[title, ...t].join('\n\n')}\n`, md: ({ title, text: t }) => `# ${title}\n\n${t.join('\n\n')}\n` };

const turtle = (blocks) => `${prolog}\n\n${blocks.join('\n')}`;
const knowledge = [
  { file: 'knowledge/missions.ttl', label: '*', blocks: [...missions(), ...people(), ...vehicles(), ...places()] },
  { file: 'knowledge/phases.ttl', label: '*', blocks: phases() },
  { file: 'knowledge/anomalies.ttl', label: 'clearance=S', blocks: anomalies },
  { file: 'knowledge/budget.ttl', label: 'clearance=S & nationality=USA', blocks: budget },
];
for (const { file, blocks } of knowledge) write(file, turtle(blocks));
write('ontology/apollo.ttl', turtle([block(`<${NS}ontology>`, [['a', ['owl:Ontology']], ['rdfs:label', [text('Apollo demo ontology', 'en')]]]), ...ontology()]));
for (const document of TEXTS) write(`documents/${document.file}`, await WRITERS[path.extname(document.file).slice(1)](document));
write('manifest.json', `${JSON.stringify({
  ontology: [{ file: 'ontology/apollo.ttl', label: '*' }],
  knowledge: knowledge.map(({ file, label }) => ({ file, label })),
  documents: TEXTS.map(({ file, label }) => ({ file: `documents/${file}`, label, route: 'local' })),
}, null, 2)}\n`);
