import { OpenApiCheck } from '@vitrine/testing';

const check = OpenApiCheck.shared();
const API_PATH = '/api/v1';

/**
 * Throws if an answer of the upload endpoint differs from docs/openapi.json. Answers of other paths are not checked.
 */
export function assertDocumented(
  method: string,
  pathname: string,
  answer: {
    readonly status: number;
    readonly headers: { get(name: string): string | null };
    readonly body: string;
  },
): void {
  if (!pathname.startsWith(API_PATH)) return;
  const { status, headers, body } = answer;
  const path = pathname.slice(API_PATH.length);
  check.assert({
    host: 'upload',
    method,
    path,
    status,
    headers,
    body: body === '' ? undefined : JSON.parse(body),
  });
}
