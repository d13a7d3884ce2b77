// DOCX, XLSX and PPTX as Office Open XML (ECMA-376) packages.
import { zip } from './zip.mjs';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument';

export function contentTypes(overrides) {
  const parts = Object.entries(overrides).map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`);
  return {
    name: '[Content_Types].xml',
    content:
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="${PACKAGE.replace('http://schemas.openxmlformats.org/', 'application/vnd.openxmlformats-').replaceAll('/2006', '')}.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`,
  };
}

export function relationships(part, targets) {
  const slash = part.lastIndexOf('/') + 1;
  const items = targets.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${type.startsWith('http') ? type : `${OFFICE}/${type}`}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  );
  return {
    name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
    content: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`,
  };
}

export function coreProperties({ title, creator, created, modified, language, keywords, description }) {
  return {
    name: 'docProps/core.xml',
    content:
      `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
      'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      `<dc:title>${title}</dc:title><dc:creator>${creator}</dc:creator><cp:keywords>${keywords}</cp:keywords>` +
      `<dc:description>${description}</dc:description><dc:language>${language}</dc:language>` +
      `<dcterms:created xsi:type="dcterms:W3CDTF">${created}</dcterms:created>` +
      `<dcterms:modified xsi:type="dcterms:W3CDTF">${modified}</dcterms:modified></cp:coreProperties>`,
  };
}

const rootRelationships = (main) =>
  relationships('', [
    ['rId1', 'officeDocument', main],
    ['rId2', `${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    ['rId3', 'extended-properties', 'docProps/app.xml'],
  ]);

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

export function docx({ properties, document, extra = [] }) {
  return zip([
    contentTypes({
      'word/document.xml': `${TYPES}.wordprocessingml.document.main+xml`,
      'word/footnotes.xml': `${TYPES}.wordprocessingml.footnotes+xml`,
      'word/header1.xml': `${TYPES}.wordprocessingml.header+xml`,
    }),
    rootRelationships('word/document.xml'),
    coreProperties(properties),
    relationships('word/document.xml', [
      ['rId1', 'footnotes', 'footnotes.xml'],
      ['rId2', 'header', 'header1.xml'],
      ['rId3', 'hyperlink', 'https://example.com/', 'External'],
    ]),
    { name: 'word/document.xml', content: document },
    ...extra,
  ]);
}

export const word = {
  document: (body) =>
    `${HEAD}<w:document ${W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  part: (name, root, body) => ({ name: `word/${name}.xml`, content: `${HEAD}<w:${root} ${W}>${body}</w:${root}>` }),
  p: (...runs) => `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>${runs.join('')}</w:p>`,
  r: (text) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`,
};

export function xlsx({ properties, strings, sheets, extra = [] }) {
  const names = sheets.map((_, index) => `xl/worksheets/sheet${index + 1}.xml`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zip([
    contentTypes({
      'xl/workbook.xml': `${TYPES}.spreadsheetml.sheet.main+xml`,
      'xl/sharedStrings.xml': `${TYPES}.spreadsheetml.sharedStrings+xml`,
      ...Object.fromEntries(names.map((name) => [name, `${TYPES}.spreadsheetml.worksheet+xml`])),
    }),
    rootRelationships('xl/workbook.xml'),
    coreProperties(properties),
    relationships('xl/workbook.xml', [
      ...sheets.map((_, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`]),
      ['rId99', 'sharedStrings', 'sharedStrings.xml'],
      ['rId98', 'styles', 'styles.xml'],
    ]),
    {
      name: 'xl/workbook.xml',
      content: `${HEAD}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    { name: 'xl/sharedStrings.xml', content: `${HEAD}<sst xmlns="${main}">${strings.join('')}</sst>` },
    ...sheets.map(({ rows }, index) => ({
      name: names[index],
      content: `${HEAD}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...extra,
  ]);
}

const P = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}"`;

export function pptx({ properties, slides, order }) {
  const targets = slides.map((_, index) => [`rId${index + 1}`, 'slide', `slides/slide${index + 1}.xml`]);
  return zip([
    contentTypes({
      'ppt/presentation.xml': `${TYPES}.presentationml.presentation.main+xml`,
      ...Object.fromEntries(slides.map((_, index) => [`ppt/slides/slide${index + 1}.xml`, `${TYPES}.presentationml.slide+xml`])),
    }),
    rootRelationships('ppt/presentation.xml'),
    coreProperties(properties),
    relationships('ppt/presentation.xml', targets),
    {
      name: 'ppt/presentation.xml',
      content: `${HEAD}<p:presentation ${P}><p:sldIdLst>${order.map((number) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    ...slides.flatMap(({ shapes, notes }, index) => [
      { name: `ppt/slides/slide${index + 1}.xml`, content: `${HEAD}<p:sld ${P}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>` },
      ...(notes === undefined
        ? []
        : [
            relationships(`ppt/slides/slide${index + 1}.xml`, [['rId1', 'notesSlide', `../notesSlides/notesSlide${index + 1}.xml`]]),
            { name: `ppt/notesSlides/notesSlide${index + 1}.xml`, content: `${HEAD}<p:notes ${P}><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>` },
          ]),
    ]),
  ]);
}

export const shape = (...paragraphs) =>
  `<p:sp><p:txBody><a:bodyPr/>${paragraphs.map((text) => `<a:p><a:r><a:rPr lang="en-GB"/><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;
