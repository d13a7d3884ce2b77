import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type CharsetHints, decodeText, detectCharset } from './text.ts';

const RUSSIAN = 'Осиновецкий маяк стоит на западном берегу Ладожского озера, в начале знаменитой Дороги жизни.';
const JAPANESE = '犬吠埼灯台は、千葉県銚子市の犬吠埼に立つ白い灯台で、1874年に初めて点灯しました。';
const CHINESE = '花鸟灯塔位于中国东海的花鸟山岛上，建于一八七〇年，是远东地区最大的灯塔之一。';
const FRENCH = 'Le phare du Créac’h, situé à l’île d’Ouessant, fut allumé en 1863 – « le plus puissant ».';
const CZECH = 'Maják je věž, která vyzařuje světlo a pomáhá lodím při plavbě; příliš žluťoučký kůň úpěl ďábelské ódy.';
const GREEK = 'Ο φάρος της Αλεξάνδρειας ήταν ένα από τα επτά θαύματα του αρχαίου κόσμου και φώτιζε τα πλοία.';

describe('decodeText', () => {
  it.each([
    ['utf-8', RUSSIAN],
    ['utf-16le', RUSSIAN],
    ['utf-16be', FRENCH],
    ['windows-1252', FRENCH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['iso-8859-5', RUSSIAN],
    ['iso-8859-2', CZECH],
    ['iso-8859-7', GREEK],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['gb18030', CHINESE],
  ])('reads %s when it is declared', (charset, text) => {
    expect(decodeText(iconv.encode(text, charset), { declared: charset })).toEqual({ text, charset });
  });

  it.each([
    ['utf-8', RUSSIAN],
    ['utf-16le', FRENCH],
    ['utf-16be', FRENCH],
    ['windows-1252', FRENCH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['iso-8859-5', RUSSIAN],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['iso-2022-jp', JAPANESE],
    ['gb18030', CHINESE],
  ])('finds %s by itself', (charset, text) => {
    if (charset === 'iso-2022-jp') {
      expect(detectCharset(Buffer.from('\u001b$B8$KJ:kEtBf\u001b(B', 'latin1'))).toBe('iso-2022-jp');
      return;
    }
    expect(decodeText(iconv.encode(text, charset))).toEqual({ text, charset });
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])('obeys the byte order mark of %s', (charset) => {
    const bytes = iconv.encode(RUSSIAN, charset, { addBOM: true });
    expect(decodeText(bytes, { declared: 'windows-1251' })).toEqual({ text: RUSSIAN, charset });
  });

  it('gives back any text with a mark, and any in UTF-8 without', () => {
    const texts = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((text) => text.replaceAll(/[\u0000\u001b\ufeff]/g, '.'));
    fc.assert(
      fc.property(texts, fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), (text, charset) => {
        expect(decodeText(iconv.encode(text, charset, { addBOM: true })).text).toBe(text);
        expect(decodeText(Buffer.from(text), { declared: 'utf-8' }).text).toBe(text);
      }),
    );
  });
});

describe('detectCharset', () => {
  it.each<[string, string, CharsetHints, string]>([
    ['UTF-8 that is none', 'caf\u00e9 au lait', { declared: 'utf-8' }, 'windows-1252'],
    ['an unknown charset', 'plain', { declared: 'x-nonsense' }, 'utf-8'],
    ['a name from the prototype of objects', 'plain', { declared: 'constructor', embedded: '__proto__' }, 'utf-8'],
    ['an encoding that is no charset', 'plain', { declared: 'base64' }, 'utf-8'],
    ['UTF-16 in a text of single bytes', '<?xml encoding="utf-16"?><x/>', { embedded: 'utf-16' }, 'utf-8'],
  ])('passes over %s', (_what, latin1, hints, expected) => {
    expect(detectCharset(Buffer.from(latin1, 'latin1'), hints)).toBe(expected);
  });

  it('takes the declared charset before the embedded one', () => {
    const bytes = Buffer.from([0xcd, 0xc1, 0xd1, 0xcb]);
    expect(detectCharset(bytes, { declared: 'koi8-r', embedded: 'windows-1251' })).toBe('koi8-r');
    expect(detectCharset(bytes, { embedded: 'windows-1251' })).toBe('windows-1251');
  });

  it('takes Latin-1 for what everybody means by it', () => {
    expect(decodeText(Buffer.from([0x93, 0xe9, 0x94]), { declared: 'iso-8859-1' }).text).toBe('“é”');
  });
});
