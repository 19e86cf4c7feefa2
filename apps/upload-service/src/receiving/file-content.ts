import { sniff, SNIFF_BYTES } from '@vitrine/formats';
import { refusals } from './upload-errors';

/** The part of a `data:` address before the bytes. */
const DATA_PREFIX = /^\s*data:[^,]{0,200};base64,/i;
const ADDRESS = /^\s*(?:https?|ftp):\/\//i;
const BASE64 = /^[\w+/=\s-]+$/;

/**
 * The bytes of a file that a client sends either as they are or as base64 (also as a `data:` address), which its first bytes
 * show. Holds no more than a few kilobytes. Throws the refusals of an address and of invalid base64.
 */
export async function* decodeFile(sent: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  let content: Content | null = null;
  for await (const chunk of sent) {
    if (content) {
      yield content.decode(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < SNIFF_BYTES) continue;
    content = contentOf(head);
    yield content.decode(head.subarray(content.skip));
  }
  if (!content) {
    content = contentOf(head);
    yield content.decode(head.subarray(content.skip));
  }
  yield content.end();
}

/** Rejects with the refusal of a large file as soon as more than `maxBytes` have passed. */
export async function* limitFile(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of bytes) {
    passed += chunk.length;
    if (passed > maxBytes) throw refusals.tooLarge(maxBytes);
    yield chunk;
  }
}

interface Content {
  /** Bytes at the beginning that are not part of the file. */
  readonly skip: number;
  decode(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

const NOTHING = new Uint8Array();
const AS_SENT: Content = { skip: 0, decode: (chunk) => chunk, end: () => NOTHING };

function contentOf(head: Buffer): Content {
  if (sniff(head)) return AS_SENT;
  const text = head.toString('latin1');
  if (ADDRESS.test(text)) throw refusals.address();
  const skip = DATA_PREFIX.exec(text)?.[0].length ?? 0;
  return BASE64.test(text.slice(skip)) ? new Base64Content(skip) : AS_SENT;
}

/** Decodes both alphabets of base64 piece by piece, with or without padding and white space. */
class Base64Content implements Content {
  private rest = '';
  private ended = false;

  constructor(readonly skip: number) {}

  decode(chunk: Uint8Array): Uint8Array {
    const sent = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      .toString('latin1')
      .replace(/\s+/g, '');
    if (sent === '') return NOTHING;
    if ((this.ended && !/^=*$/.test(sent)) || !/^[\w+/-]*={0,2}$/.test(sent)) throw refusals.notBase64();
    this.ended ||= sent.endsWith('=');
    const text = this.rest + sent;
    const whole = text.length - (text.length % 4);
    this.rest = text.slice(whole);
    return Buffer.from(text.slice(0, whole), 'base64');
  }

  end(): Uint8Array {
    return Buffer.from(this.rest, 'base64');
  }
}
