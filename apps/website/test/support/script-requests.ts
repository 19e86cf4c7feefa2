import type { Media } from '@vitrine/client';
import type { Person, Stack } from '@vitrine/testing';
import type { FormVisitor } from './form-visitor';
import { landscape } from './samples';

/** The headers of a request from one of the site's scripts. */
export const SCRIPT = { Accept: 'application/json' };

/** The site's response to a script. */
interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const reply = ({ status, html }: { status: number; html: string }): Reply => ({
  status,
  body: JSON.parse(html) as Reply['body'],
});

/** Sends a form of the visitor's page as the site's scripts do. */
export const send = async (
  visitor: FormVisitor,
  action: string,
  fields: Record<string, string | string[]> = {},
): Promise<Reply> => reply(await visitor.post(action, { ...visitor.fieldsOf(action), ...fields }, SCRIPT));

/** Uploads a picture as the upload page does: with a ticket, to the upload host. `hue`: in degrees, for different files. */
export async function uploadByTicket(stack: Stack, visitor: FormVisitor, hue: number): Promise<Media> {
  const { status, body } = await send(visitor, '/upload/ticket');
  expect(status).toBe(200);
  const { buffer, name } = await landscape('a.jpg', hue);
  return stack.client(String(body['ticket'])).media.upload(Uint8Array.from(buffer), { name });
}

/** Whether the API shows a media item to everyone. */
export const exists = (stack: Stack, slug: string): Promise<boolean> =>
  stack
    .client()
    .media.get(slug)
    .then(
      () => true,
      () => false,
    );

export async function logIn(visitor: FormVisitor, { username, password }: Person): Promise<void> {
  await visitor.open('/login');
  expect((await visitor.submit('/login', { login: username, password })).status).toBe(303);
}
