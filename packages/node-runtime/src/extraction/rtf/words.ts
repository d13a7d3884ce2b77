const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const PARAGRAPHS: ReadonlySet<string> = names('par line page sect row softline column');

/** Destinations whose text is none of the document's. */
export const SKIPPED: ReadonlySet<string> = names(
  'colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator filetbl pict object nonshppict fldinst ' +
    'themedata colorschememapping datastore latentstyles pntext listtext xe tc rxe bkmkstart bkmkend upr sp xmlnstbl ' +
    'template operator',
);

/** Destinations that are read although they are marked as unknown to older readers. */
export const READ_STARRED: ReadonlySet<string> = names('shpinst shptxt ud shprslt');

/** Dublin Core names of the destinations in `\info` that are kept. */
export const INFO: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['author', 'creator'],
  ['subject', 'description'],
  ['keywords', 'subject'],
  ['creatim', 'created'],
  ['revtim', 'modified'],
]);

/** Control words and symbols that stand for text. */
export const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['cell', '\t'],
  ['nestcell', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['~', '\u00a0'],
  ['_', '-'],
  ['{', '{'],
  ['}', '}'],
  ['\\', '\\'],
]);

/** The words of a date in `\info`, with what is before each in ISO 8601. */
export const DATE_PARTS: ReadonlyMap<string, string> = new Map([
  ['yr', ''],
  ['mo', '-'],
  ['dy', '-'],
  ['hr', 'T'],
  ['min', ':'],
]);
