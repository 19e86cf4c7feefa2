import type { IncomingHttpHeaders } from 'node:http';
import { BadRequestException } from '@nestjs/common';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { formFields } from '@vitrine/contracts/api';
import { parse } from 'qs';
import { UnexpectedBodyError } from './unexpected-body-error';

/** More than any request class has, with every list at its longest. */
const MAX_FIELDS = 200;

/** The body as a whole is limited already. */
const LIMITS = { files: 0, fields: MAX_FIELDS, parts: MAX_FIELDS, headerPairs: 16, headerSize: 8192 };

/**
 * Reads the fields of a form body. Lists are written by repetition (`tags=a&tags=b`) or with brackets (`tags[]=a`,
 * `tags[0]=a`). A body that begins like JSON is read as JSON. Throws `BadRequestException` for malformed JSON, and
 * `UnexpectedBodyError` for other unreadable bodies, files, and more than 200 fields.
 */
export async function readFormBody(headers: IncomingHttpHeaders, body: Buffer): Promise<unknown> {
  if (/^\s*multipart/i.test(headers['content-type'] ?? '')) {
    return readFormFields(await readParts(headers, body));
  }
  const text = decode(body);
  return /^\s*[[{]/.test(text) ? readJson(text) : fieldsOf(text);
}

/**
 * The fields of a form from the names and texts of its parts; see `readFormBody`. Throws `UnexpectedBodyError` for more
 * than 200 fields.
 */
export const readFormFields = (parts: readonly [string, string][]): object =>
  fieldsOf(new URLSearchParams([...parts]).toString());

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new UnexpectedBodyError();
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequestException();
  }
}

/** Nesting is kept as it is sent, so that the error about the field names it. */
function fieldsOf(text: string): object {
  try {
    return formFields(
      parse(text, {
        parameterLimit: MAX_FIELDS,
        arrayLimit: MAX_FIELDS,
        throwOnLimitExceeded: true,
        depth: 2,
        strictDepth: true,
      }),
    );
  } catch (error) {
    // These are the limits above; everything else is accepted.
    if (error instanceof RangeError) throw new UnexpectedBodyError();
    throw error;
  }
}

function readParts(headers: IncomingHttpHeaders, body: Buffer): Promise<[string, string][]> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new UnexpectedBodyError());
    const fields: [string, string][] = [];
    try {
      new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS })
        .on('field', (name, value, nameTruncated, valueTruncated) => {
          if (nameTruncated || valueTruncated) refuse();
          fields.push([name, value]);
        })
        .on('file', (_, stream) => {
          stream.resume();
          refuse();
        })
        .on('filesLimit', refuse)
        .on('fieldsLimit', refuse)
        .on('partsLimit', refuse)
        .on('error', refuse)
        .on('finish', () => resolve(fields))
        .end(body);
    } catch {
      // The header names no boundary.
      refuse();
    }
  });
}
