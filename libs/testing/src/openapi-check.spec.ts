import { type ObservedResponse, OpenApiCheck } from './openapi-check';
import { readOpenApi } from './openapi-document';

const limits = {
  'X-RateLimit-Limit': '30',
  'X-RateLimit-Remaining': '29',
  'X-RateLimit-Reset': '1798761600',
  'X-Request-Id': 'a-request-id',
};

const observed = (
  fields: Partial<Omit<ObservedResponse, 'headers'>>,
  headers: Readonly<Record<string, string>> = {},
): ObservedResponse => ({
  host: 'api',
  method: 'GET',
  path: '/media/aB3dE5f',
  status: 404,
  body: { message: 'Not found.' },
  ...fields,
  headers: new Headers({ ...limits, 'Content-Type': 'application/json; charset=utf-8', ...headers }),
});

describe('the check of responses against docs/openapi.json', () => {
  const check = new OpenApiCheck();
  const media = () => {
    const response = readOpenApi().paths['/media/{slug}']?.['get']?.responses['200'];
    const { content } = response as { content: Record<string, { example: { data: object } }> };
    return content['application/json']!.example.data;
  };

  it('accepts responses that the document declares', () => {
    expect(check.problemsOf(observed({}))).toEqual([]);
    expect(check.problemsOf(observed({ status: 200, body: { data: media() } }))).toEqual([]);
    expect(check.problemsOf(observed({ method: 'HEAD', status: 200, body: undefined }))).toEqual([]);
    const absent = { path: '/nothing', status: 404 };
    expect(check.problemsOf(observed(absent))).toEqual([]);
    expect(check.problemsOf(observed({ method: 'PUT', status: 405 }))).toEqual([]);
  });

  it('reports undeclared fields and missing ones', () => {
    const { title: _, ...rest } = media() as { title: unknown };
    const problems = check.problemsOf(observed({ status: 200, body: { data: { ...rest, secret: 1 } } }));
    expect(problems).toEqual([
      expect.stringContaining("/data must have required property 'title'"),
      expect.stringContaining('"additionalProperty":"secret"'),
    ]);
    expect(check.problemsOf(observed({ body: { message: 'x', stack: 'y' } }))).toHaveLength(1);
    expect(check.problemsOf(observed({ path: '/nothing', body: { error: 'x' } }))).toHaveLength(2);
  });

  it('reports undeclared statuses, headers, types and routes', () => {
    expect(check.problemsOf(observed({ status: 418 }))).toEqual(['status 418 isn’t declared']);
    expect(check.problemsOf(observed({ path: '/nothing', status: 200 }))).toEqual(['no such operation']);
    expect(check.problemsOf(observed({ status: 429 }))).toEqual(['lacks the header Retry-After']);
    expect(check.problemsOf(observed({}, { 'X-RateLimit-Limit': 'many' }))).toEqual([
      'X-RateLimit-Limit: many isn’t a number',
    ]);
    expect(check.problemsOf(observed({}, { 'Content-Type': 'text/html' }))).toEqual([
      'has the undeclared content type text/html',
    ]);
  });

  it('distinguishes the two hosts', () => {
    const upload = { method: 'POST', path: '/media', status: 401, body: { message: 'Unauthenticated.' } };
    const headers = { 'WWW-Authenticate': 'Bearer' };
    expect(check.problemsOf(observed({ ...upload, host: 'upload' }, headers))).toEqual([]);
    expect(check.problemsOf(observed({ ...upload, host: 'upload', status: 201 }, headers))).not.toEqual([]);
    expect(check.problemsOf(observed({ ...upload, status: 201 }, headers))).toEqual(['no such operation']);
  });

  it('names the request, the response and the problem', () => {
    expect(() => check.assert(observed({ status: 418 }))).toThrow(
      /^GET \/media\/aB3dE5f answered 418 other than docs\/openapi\.json says[^]*\n {2}status 418 isn’t declared/,
    );
  });
});
