import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Bucket, Stored } from './buckets';
import { EnforcedPolicy } from './enforced-policy';
import { S3Error } from './s3-error';
import { verifySignature } from './signature';

/** Entries of one page of a list, as at Amazon. */
const PAGE = 1000;

/** Names and values of XML elements; an array repeats the element. */
interface Xml {
  readonly [name: string]: string | number | boolean | Xml | readonly Xml[] | undefined;
}
/** An answer: without a body, or with an XML document. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly xml?: Xml;
}

/** One request to the bucket, whose name is the first part of the path. */
interface Call {
  readonly bucket: Bucket;
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly key: string;
}

/** Answers one request for `bucket` by the protocol of S3. Never rejects. */
export async function answerS3(
  bucket: Bucket,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const call = callOf(bucket, request);
    const isRead = call.key !== '' && ['GET', 'HEAD'].includes(request.method ?? '');
    if (isRead) await sendObject(call, response);
    else send(response, await carryOut(call));
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    request.resume();
    const { code, status } = error instanceof S3Error ? error : { code: 'InternalError', status: 500 };
    const xml = { Error: { Code: code, Message: 'The request was refused.' } };
    send(response, { status, ...(request.method !== 'HEAD' && { xml }) });
  }
}

/** Checks who sends a request and whether they may. Throws `S3Error`. */
function callOf(bucket: Bucket, request: IncomingMessage): Call {
  const account = verifySignature(request, (id) => bucket.secretOf(id));
  if (bucket.accounts.has(account) && !bucket.policy?.allowsRequest(account, request)) {
    bucket.refusals.push(`${account}: ${request.method} ${request.url}`);
    throw new S3Error('AccessDenied');
  }
  const [path = '', search = ''] = (request.url ?? '').split('?');
  const [, name, ...rest] = path.split('/');
  if (name !== bucket.name) throw new S3Error('NoSuchBucket');
  return { bucket, request, query: new URLSearchParams(search), key: decodeURIComponent(rest.join('/')) };
}

/** Carries out what is no read of an object. */
async function carryOut(call: Call): Promise<Answer> {
  const { bucket, request, query, key } = call;
  const uploadId = query.get('uploadId');
  switch (`${request.method} ${key === '' ? 'bucket' : 'object'}`) {
    case 'GET bucket':
      return { status: 200, xml: query.has('uploads') ? listUploads(call) : listObjects(call) };
    case 'PUT bucket':
      if (!query.has('policy')) break;
      bucket.policy = new EnforcedPolicy(await text(request));
      return { status: 204 };
    case 'POST bucket':
      if (!query.has('delete')) break;
      for (const each of elements(await text(request), 'Key')) await bucket.delete(each);
      return { status: 200, xml: { DeleteResult: {} } };
    case 'PUT object': {
      if (request.headers['x-amz-copy-source'] !== undefined) break;
      const etag =
        uploadId === null
          ? await bucket.put(key, request, metadataOf(request), isOnlyIfFree(request))
          : await bucket.putPart(uploadId, Number(query.get('partNumber')), request);
      return { status: 200, headers: { ETag: JSON.stringify(etag) } };
    }
    case 'POST object':
      if (query.has('uploads')) {
        const UploadId = bucket.beginUpload(key, metadataOf(request));
        return { status: 200, xml: { InitiateMultipartUploadResult: { Key: key, UploadId } } };
      }
      if (uploadId === null) break;
      return {
        status: 200,
        xml: { CompleteMultipartUploadResult: { Key: key, ETag: await complete(call, uploadId) } },
      };
    case 'DELETE object':
      await (uploadId === null ? bucket.delete(key) : bucket.abortUpload(uploadId));
      return { status: 204 };
  }
  throw new S3Error('NotImplemented');
}

async function complete({ bucket, request }: Call, uploadId: string): Promise<string> {
  const body = await text(request);
  const etags = elements(body, 'ETag').map((etag) => etag.replaceAll('"', ''));
  const numbers = elements(body, 'PartNumber').map(Number);
  const parts = numbers.map((number, index) => ({ number, etag: etags[index] ?? '' }));
  return JSON.stringify(await bucket.completeUpload(uploadId, parts, isOnlyIfFree(request)));
}

/** Sends an object or the requested range of it, or for HEAD its headers. */
async function sendObject(
  { bucket, request: { method, headers }, key }: Call,
  response: ServerResponse,
): Promise<void> {
  const stored = bucket.objects.get(key);
  if (!stored) throw new S3Error('NoSuchKey');
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== JSON.stringify(stored.etag))
    throw new S3Error('PreconditionFailed');
  const range = rangeOf(headers.range, stored.size);
  const [from, to] = range ?? [0, stored.size - 1];
  // Opened before the first await, so that the object stays readable if it is replaced.
  const content = method === 'HEAD' ? null : await bucket.read(stored, from, to);
  response.writeHead(range ? 206 : 200, {
    ...headersOf(stored),
    'Content-Length': to - from + 1,
    ...(range && { 'Content-Range': `bytes ${from}-${to}/${stored.size}` }),
  });
  if (content) await pipeline(content, response);
  else response.end();
}

const headersOf = ({ etag, modifiedAt, metadata }: Stored): Readonly<Record<string, string>> => ({
  'Content-Type': 'binary/octet-stream',
  ...metadata,
  'Accept-Ranges': 'bytes',
  ETag: JSON.stringify(etag),
  'Last-Modified': modifiedAt.toUTCString(),
});

/** First and last byte; undefined for the whole object. Throws `S3Error` if the object has no such bytes. */
function rangeOf(header: string | undefined, size: number): readonly [number, number] | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from > to) throw new S3Error('InvalidRange');
  return [from, to];
}

function listObjects({ bucket, query }: Call): Xml {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('continuation-token') ?? ''];
  const keys = [...bucket.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE);
  const isTruncated = keys.length > PAGE;
  const Contents = page.map((key) => {
    const { size, etag, modifiedAt } = bucket.objects.get(key)!;
    return { Key: key, LastModified: modifiedAt.toISOString(), ETag: JSON.stringify(etag), Size: size };
  });
  const NextContinuationToken = isTruncated ? page.at(-1) : undefined;
  return { ListBucketResult: { IsTruncated: isTruncated, NextContinuationToken, Contents } };
}

function listUploads({ bucket: { uploads }, query }: Call): Xml {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('upload-id-marker') ?? ''];
  const found = [...uploads].filter(([id, { key }]) => key.startsWith(prefix) && id > after);
  const page = found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, PAGE);
  const [last, upload] = page.at(-1) ?? [];
  const markers = { NextKeyMarker: upload?.key, NextUploadIdMarker: last };
  const Upload = page.map(([UploadId, { key, initiatedAt }]) => {
    return { Key: key, UploadId, Initiated: initiatedAt.toISOString() };
  });
  return { ListMultipartUploadsResult: { IsTruncated: found.length > PAGE, ...markers, Upload } };
}

const isOnlyIfFree = ({ headers }: IncomingMessage): boolean => headers['if-none-match'] === '*';

/** The headers that are stored with an object. */
const metadataOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, String(value)]),
  );

function send(response: ServerResponse, { status, headers, xml }: Answer): void {
  const body = xml ? `<?xml version="1.0" encoding="UTF-8"?>${write(xml)}` : '';
  response.writeHead(status, {
    ...headers,
    ...(xml && { 'Content-Type': 'application/xml' }),
    ...(status !== 204 && { 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(body);
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const;

/** Writes elements as XML. */
const write = (xml: Xml): string =>
  Object.entries(xml)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((each) => [name, each] as const))
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${content(value)}</${name}>`))
    .join('');

const content = (value: string | number | boolean | Xml): string =>
  typeof value === 'object'
    ? write(value)
    : String(value).replace(/[&<>"]/g, (char) => ENTITIES[char as keyof typeof ENTITIES]);

/** The texts of all elements of a name in an XML document of the SDK. */
const elements = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, raw = '']) =>
    Object.entries(ENTITIES).reduceRight((result, [char, entity]) => result.replaceAll(entity, char), raw),
  );
