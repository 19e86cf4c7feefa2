/** Requests for a file: a title, and what `fetch` is given. */
export const CONDITIONS: readonly (readonly [string, RequestInit])[] = [
  ['whole', {}],
  ['whole, with the header of nginx’s questions', { headers: { 'X-Vitrine-Question': '1' } }],
  ['a part', { headers: { Range: 'bytes=10-19' } }],
  ['several parts', { headers: { Range: 'bytes=0-1,3-4' } }],
  ['an unsatisfiable part', { headers: { Range: 'bytes=999999-' } }],
  ['if it has not changed for a program', { headers: { 'If-Match': '"other"' } }],
  ['if it has not changed since', { headers: { 'If-Unmodified-Since': 'Wed, 21 Oct 2015 07:28:00 GMT' } }],
  ['if it has changed since', { headers: { 'If-Modified-Since': 'Wed, 21 Oct 2065 07:28:00 GMT' } }],
];
/** nginx's id of a request, or upload-service's. */
const REQUEST_ID = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const OF_ONE_SERVER = ['date', 'server', 'connection', 'keep-alive', 'x-request-id'];

/** Expects that a file host behind a proxy answers a request as one that sends the same files itself (`own`). */
export async function expectSameAnswer(url: string, own: string, init: RequestInit): Promise<void> {
  const seen = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => !OF_ONE_SERVER.includes(name)),
    body: await response.text(),
  });
  const expected = await seen(await fetch(own, init));
  const answer = await fetch(url, init);
  expect(answer.headers.get('x-request-id')).toMatch(REQUEST_ID);
  const found = await seen(answer);
  // nginx doesn't tell that it ignored a range.
  const told = ([name]: [string, string]): boolean => name !== 'accept-ranges';
  expect({ ...found, headers: found.headers.filter(told) }).toEqual({
    ...expected,
    headers: expected.headers.filter(told),
  });
  expect(found.headers.filter(([name]) => name === 'accept-ranges')).toEqual([['accept-ranges', 'bytes']]);
}
