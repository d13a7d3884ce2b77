import { type Bomb, bomb, multipart, times } from './bomb.ts';

const REFUSED: readonly string[] = ['400 ERR_MULTIPART', '413 ERR_MULTIPART', '400 ERR_UPLOAD_EMPTY'];
const EITHER: readonly string[] = [...REFUSED, '202'];
const FIELD = 'Content-Disposition: form-data; name="f';
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"';
const LONG = 'b'.repeat(70);

function part(headers: string, content = 'x'): string {
  return `--b\r\n${headers}\r\n\r\n${content}\r\n`;
}

/** An upload of a body that is `parts` and, unless `end` says otherwise, the end of them. */
function upload(name: string, ends: readonly string[], parts: () => string, end = '--b--'): Bomb {
  return bomb(name, ends, () => multipart(`${parts()}${end}`));
}

export const MULTIPART_BOMBS: readonly Bomb[] = [
  upload('parts, 200,000 and empty', REFUSED, () => '--b\r\n\r\n\r\n'.repeat(200_000)),
  upload('fields, 50,000', REFUSED, () => times(50_000, part(`${FIELD}#"`))),
  upload('files, 5,000', REFUSED, () => part(FILE).repeat(5_000)),
  upload('headers of one part, 100,000', REFUSED, () => `--b\r\n${times(100_000, 'X-#: y\r\n')}\r\nx\r\n`),
  upload('a header of three megabytes', REFUSED, () => part(`${FILE}\r\nX: ${'y'.repeat(3_000_000)}`)),
  upload('a file name of a megabyte', REFUSED, () => part(FILE.replace('a.txt', 'a'.repeat(1_000_000)))),
  upload('parameters of a header, 2,000', EITHER, () => part(`${FILE}${times(1_500, '; p#=1')}`)),
  upload('backslashes in a file name', [...REFUSED, '400', '202'], () =>
    part(FILE.replace('a.txt', '\\'.repeat(15_000))),
  ),
  upload('a boundary that almost comes, over and over', ['202'], () => part(FILE, '\r\n--'.repeat(1_500_000))),
  bomb('a long boundary that almost comes', ['202'], () =>
    multipart(`--${LONG}\r\n${FILE}\r\n\r\n${`\r\n--${LONG.slice(1)}`.repeat(80_000)}\r\n--${LONG}--`, LONG),
  ),
  bomb('a boundary of 10,000 letters', REFUSED, () => multipart('x', 'b'.repeat(10_000))),
  upload('a preamble of six megabytes', EITHER, () => `${'-'.repeat(6_000_000)}\r\n${part(FILE)}`),
  upload('an epilogue of six megabytes', EITHER, () => `${part(FILE)}--b--${'\r\n--b'.repeat(1_200_000)}`, ''),
  upload('no end', REFUSED, () => part(FILE, 'y'.repeat(6_000_000)), ''),
  upload('multipart in multipart, 5,000 deep', REFUSED, () =>
    times(5_000, '--b\r\nContent-Type: multipart/mixed; boundary=b#\r\n\r\n'),
  ),
  upload('a field of three megabytes', REFUSED, () => part(`${FIELD}"`, 'y'.repeat(3_000_000))),
];
