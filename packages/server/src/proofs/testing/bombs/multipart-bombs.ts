import { type Bomb, multipart } from './bomb.ts';

const REFUSED: readonly string[] = ['400 ERR_MULTIPART', '413 ERR_MULTIPART', '400 ERR_UPLOAD_EMPTY'];
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

function part(headers: string, content = 'x'): string {
  return `--b\r\n${headers}\r\n\r\n${content}\r\n`;
}

/** Bodies of uploads. */
export const MULTIPART_BOMBS: readonly Bomb[] = [
  {
    name: 'parts, 200,000 and empty',
    request: () => multipart(`${times(200_000, () => '--b\r\n\r\n\r\n')}--b--`),
    ends: REFUSED,
  },
  {
    name: 'fields, 50,000',
    request: () => multipart(`${times(50_000, (i) => part(`Content-Disposition: form-data; name="f${i}"`))}--b--`),
    ends: REFUSED,
  },
  { name: 'files, 5,000', request: () => multipart(`${times(5_000, () => part(FILE))}--b--`), ends: REFUSED },
  {
    name: 'headers of one part, 100,000',
    request: () => multipart(`--b\r\n${times(100_000, (i) => `X-${i}: y\r\n`)}\r\nx\r\n--b--`),
    ends: REFUSED,
  },
  {
    name: 'a header of three megabytes',
    request: () => multipart(`${part(`${FILE}\r\nX: ${'y'.repeat(3_000_000)}`)}--b--`),
    ends: REFUSED,
  },
  {
    name: 'a file name of a megabyte',
    request: () => multipart(`${part(FILE.replace('a.txt', 'a'.repeat(1_000_000)))}--b--`),
    ends: REFUSED,
  },
  {
    name: 'parameters of a header, 2,000',
    request: () => multipart(`${part(`${FILE}${times(1_500, (i) => `; p${i}=1`)}`)}--b--`),
    ends: [...REFUSED, '202'],
  },
  {
    name: 'backslashes in a file name',
    request: () => multipart(`${part(FILE.replace('a.txt', '\\'.repeat(15_000)))}--b--`),
    ends: [...REFUSED, '400', '202'],
  },
  {
    name: 'a boundary that almost comes, over and over',
    request: () => multipart(`${part(FILE, '\r\n--'.repeat(1_500_000))}--b--`),
    ends: ['202'],
  },
  {
    name: 'a long boundary that almost comes',
    request: () =>
      multipart(
        `--${'b'.repeat(70)}\r\n${FILE}\r\n\r\n${`\r\n--${'b'.repeat(69)}`.repeat(80_000)}\r\n--${'b'.repeat(70)}--`,
        'b'.repeat(70),
      ),
    ends: ['202'],
  },
  { name: 'a boundary of 10,000 letters', request: () => multipart('x', 'b'.repeat(10_000)), ends: REFUSED },
  {
    name: 'a preamble of six megabytes',
    request: () => multipart(`${'-'.repeat(6_000_000)}\r\n${part(FILE)}--b--`),
    ends: [...REFUSED, '202'],
  },
  {
    name: 'an epilogue of six megabytes',
    request: () => multipart(`${part(FILE)}--b--${'\r\n--b'.repeat(1_200_000)}`),
    ends: [...REFUSED, '202'],
  },
  { name: 'no end', request: () => multipart(part(FILE, 'y'.repeat(6_000_000))), ends: REFUSED },
  {
    name: 'multipart in multipart, 5,000 deep',
    request: () =>
      multipart(`${times(5_000, (i) => `--b\r\nContent-Type: multipart/mixed; boundary=b${i}\r\n\r\n`)}--b--`),
    ends: REFUSED,
  },
  {
    name: 'a field of three megabytes',
    request: () => multipart(`${part('Content-Disposition: form-data; name="f"', 'y'.repeat(3_000_000))}--b--`),
    ends: REFUSED,
  },
];
