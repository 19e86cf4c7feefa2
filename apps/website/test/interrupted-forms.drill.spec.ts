import { type Person, type OwnStack, startStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

/** A text with characters that are easily lost or changed. */
const TYPED = '\r\nFirst line\r\n\r\n<script>alert(1)</script> & "quotes" \'and\' </textarea>\r\n  é 🦊';

describe('an interrupted form', () => {
  let stack: OwnStack;
  let author: Person;
  let post: string;

  beforeAll(async () => {
    stack = await startStack({ without: ['media-processor', 'moderation-service'] });
    author = await stack.createPerson('author');
    const media = await upload(author.client, await landscape('hills.jpg', 40, 90, 60));
    post = (await author.client.posts.create({ media_ids: [media.id] })).slug;
  });
  afterAll(() => stack?.close());

  const comments = async (): Promise<string[]> =>
    (await stack.client().comments.on(post).list({ limit: 250 })).data.map(({ content }) => content);

  /** A logged-in visitor on the post's page. */
  const reader = async (
    username: string,
  ): Promise<{ visitor: FormVisitor; person: Person; action: string }> => {
    const person = await stack.createPerson(username);
    const visitor = new FormVisitor(stack.siteUrl).logIn(person);
    await visitor.open(`/p/${post}`);
    return { visitor, person, action: `/p/${post}/comments` };
  };

  it('is sent after a login on the same page if the session has ended', async () => {
    const { visitor, person, action } = await reader('interrupted');
    await person.client.auth.logout();

    const stopped = await visitor.submit(action, { content: TYPED });

    expect([stopped.status, stopped.headers.get('Cache-Control')]).toEqual([401, 'private, no-store']);
    expect(stopped.html).toContain('Your session has ended.');
    expect(stopped.html).toContain('Not sent yet: your comment.');
    expect(stopped.html).not.toContain('<script>alert');

    const wrong = await visitor.submit('/login', { login: 'interrupted', password: 'not the password' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('These credentials do not match our records.');
    expect(wrong.html).not.toContain('not the password');
    expect(await comments()).toEqual([]);

    const back = await visitor.submit('/login', { login: 'interrupted', password: person.password });
    expect(back.status).toBe(200);
    expect(back.html).toContain('You are logged in as interrupted.');
    const done = await visitor.submit(action);
    expect(done.status).toBe(303);
    expect(done.location).toContain(`/p/${post}`);
    expect(await comments()).toEqual([TYPED.replace(/\r\n/g, '\n').trim()]);
  });

  it('is sent after a login in another tab', async () => {
    const { visitor, person, action } = await reader('two_tabs');
    await person.client.auth.logout();
    await visitor.submit(action, { content: 'From the first tab' });
    const waiting = visitor.fieldsOf('/login');
    const otherTab = new FormVisitor(stack.siteUrl);
    await otherTab.open('/login');
    await otherTab.submit('/login', { login: 'two_tabs', password: person.password });
    visitor.cookies.clear();
    for (const [name, value] of otherTab.cookies) visitor.cookies.set(name, value);

    const back = await visitor.submit('/login', waiting);

    expect(back.status).toBe(403);
    expect(back.html).toContain('as two_tabs');
    expect((await visitor.submit(action)).status).toBe(303);
    expect(await comments()).toContain('From the first tab');
  });

  it('names the new user after a login as someone else, and is sent as them', async () => {
    const { visitor, action } = await reader('first_name');
    const second = await stack.createPerson('second_name');
    visitor.logIn(second);

    const stopped = await visitor.submit(action, { content: 'By whom?' });

    expect(stopped.status).toBe(403);
    expect(stopped.html).toContain('logged in or out since');
    expect(stopped.html).toContain('Send<span> as second_name</span>');
    expect((await visitor.submit(action)).status).toBe(303);
    const { data } = await stack.client().users.comments('second_name').list();
    expect(data.map(({ content }) => content)).toEqual(['By whom?']);
  });

  it('is kept if nobody was logged in', async () => {
    const anonymous = new FormVisitor(stack.siteUrl);
    await anonymous.open('/login');
    const { _token } = anonymous.fieldsOf('/login');

    const stopped = await anonymous.post(`/p/${post}/vote`, { _token: _token ?? '', direction: 'up' });

    expect(stopped.status).toBe(401);
    expect(stopped.html).toContain('Not sent yet: your vote.');
    expect(stopped.html).not.toContain('session has ended');
    const fields = [...stopped.html.matchAll(/name="(held[^"]*)" value="([^"]*)"/g)].map(
      ([, ...pair]) => pair,
    );
    expect(fields).toContainEqual(['held_action', `/p/${post}/vote`]);
    expect(fields).toContainEqual(['held.direction', 'up']);
  });

  it('does not contain the password, which must be typed again', async () => {
    const person = await stack.createPerson('secretive');
    const visitor = new FormVisitor(stack.siteUrl).logIn(person);
    await visitor.open('/settings');
    await person.client.auth.logout();
    const typed = { current_password: person.password, password: 'a whole new password' };

    const stopped = await visitor.submit('/settings/password', typed);

    expect(stopped.status).toBe(401);
    const back = await visitor.submit('/login', { login: 'secretive', password: person.password });
    for (const { html } of [stopped, back]) {
      expect(html).not.toContain(person.password);
      expect(html).not.toContain('a whole new password');
    }
    expect((await visitor.submit('/settings/password', typed)).location).toBe('/settings');
    await stack.client().auth.login({ login: 'secretive', password: 'a whole new password' });
  });

  it('is not offered again if it contains a token', async () => {
    const { visitor, person } = await reader('token_holder');
    const { token } = await person.client.tokens.create({
      name: 'x',
      current_password: person.password,
    });
    const { _token } = visitor.fieldsOf('/logout');
    visitor.logIn(author);

    const stopped = await visitor.post('/settings/tokens/sharex', { _token: _token ?? '', token });

    expect(stopped.status).toBe(403);
    expect(stopped.html).not.toContain(token);
  });

  it.each([
    ['from another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['from another host of the domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['of a browser that sends no origin', { Origin: '', 'Sec-Fetch-Site': '' }],
  ])('is not offered to the visitor: %s', async (_, headers) => {
    const { visitor, action } = await reader(`victim_${_.length}`);
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const silent = Object.values(headers).every((value) => value === '');

    const answer = silent
      ? await visitor.open(action, {}).then(() => postSilently(visitor, action, 'Words of an attacker'))
      : await visitor.post(action, { content: 'Words of an attacker', _token: 'x' }, sent);

    expect(answer.status).toBe(403);
    expect(answer.html).not.toContain('Words of an attacker');
    expect(await comments()).not.toContain('Words of an attacker');
  });

  async function postSilently(visitor: FormVisitor, path: string, content: string) {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(stack.siteUrl + path, {
      method: 'POST',
      body: new URLSearchParams({ content, _token: 'x' }),
      headers: { Cookie: cookie },
    });
    return { status: response.status, html: await response.text() };
  }

  it('is sent only to this site', async () => {
    const visitor = new FormVisitor(stack.siteUrl);
    await visitor.open('/login');
    const fields = { ...visitor.fieldsOf('/login'), login: 'author', password: author.password };

    for (const action of [
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      '/\\evil.example',
    ]) {
      const answer = await visitor.post('/login', { ...fields, password: 'wrong', held_action: action });
      expect(answer.status).toBe(422);
      expect(answer.html).not.toContain('evil.example');
      expect(answer.html).not.toContain('javascript:');
    }
  });

  it('is kept until the service is available again', async () => {
    const { visitor, action } = await reader('patient');
    await stack.services.get('api-gateway')?.stop();

    const stopped = await visitor.submit(action, { content: 'Written in the dark' });

    expect([stopped.status, stopped.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(stopped.html).toContain('Written in the dark</textarea>');
  });
});
