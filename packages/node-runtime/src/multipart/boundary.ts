import { MIMEType } from 'node:util';
import { limitError, mediaTypeError, multipartError } from './multipart-error.ts';

/** RFC 2046, 5.1.1: the characters of a boundary; it does not end in a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]*[0-9A-Za-z'()+_,\-./:=?]$/;

/**
 * Reads the boundary out of a Content-Type header.
 * @throws `ERR_MEDIA_TYPE` (unsupported) when the type is not multipart/form-data, `ERR_MULTIPART` when the boundary is
 *   missing, malformed or too long.
 */
export function parseBoundary(contentType: string | undefined, maxLength: number): string {
  const boundary = parseFormDataType(contentType).params.get('boundary');
  if (boundary === null || boundary === '') {
    throw multipartError('Content-Type multipart/form-data must name a boundary; it names none');
  }
  if (boundary.length > maxLength) throw limitError('length of the boundary', boundary.length, maxLength);
  if (!BOUNDARY.test(boundary)) throw multipartError('the boundary holds a character that RFC 2046 does not allow');
  return boundary;
}

function parseFormDataType(contentType: string | undefined): MIMEType {
  if (contentType === undefined) throw mediaTypeError('Content-Type must be multipart/form-data; got none');
  let type: MIMEType;
  try {
    type = new MIMEType(contentType);
  } catch (cause) {
    throw mediaTypeError('Content-Type must be multipart/form-data; it is malformed', cause);
  }
  if (type.essence !== 'multipart/form-data') {
    throw mediaTypeError(`Content-Type must be multipart/form-data; got ${type.essence.slice(0, 100)}`);
  }
  return type;
}
