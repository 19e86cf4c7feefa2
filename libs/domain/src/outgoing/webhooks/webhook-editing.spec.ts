import { useDomain } from '@vitrine/testing';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { RegistrationService } from '../../accounts/admission/registration.service';
import type { Caller } from '../../base/access/caller';
import { UnauthenticatedError } from '../../base/errors/domain-error';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import type { Webhook } from './webhook.types';
import { WebhooksService } from './webhooks.service';
import { WebhookEditing } from './webhook-editing.service';
import { WebhookEditingModule } from './webhook-editing.module';
import { AccountSecurity } from '../../sign-in/factors/account-security.service';

const PASSWORD = 'correct horse battery';
const URLS = ['https://one.example.org/', 'https://two.example.org/'] as const;

describe('WebhookEditing', () => {
  const domain = useDomain([AdmissionModule, WebhookEditingModule]);
  let tokens: TokensService;
  let webhooks: WebhooksService;
  let editing: WebhookEditing;
  let people = 0;
  /** The session of the account. */
  let ada: Caller;
  /** An API token of the same account. */
  let program: Caller;

  beforeAll(() => {
    tokens = domain.get(TokensService);
    webhooks = domain.get(WebhooksService);
    editing = domain.get(WebhookEditing);
  });
  beforeEach(async () => {
    const username = `person_${++people}`;
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD }, null, username, null);
    ada = (await tokens.authenticate(secret))!;
    program = await mint();
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const mint = async (): Promise<Caller> => {
    const { secret } = await tokens.create(ada.userId, { name: 'program', scopes: ['write'] });
    return (await tokens.authenticate(secret))!;
  };
  const create = async (caller: Caller, url: string = URLS[0]): Promise<Webhook> =>
    (await editing.create(caller, { url })).webhook;
  const reasonOf = async ({ id }: Webhook) => (await webhooks.find(ada.userId, id)).disabledReason;
  const addEvent = () =>
    query(`select add_webhook_deliveries($1, gen_random_uuid(), 'media.deleted', now(), '{}')`, [ada.userId]);
  const statusesOf = async ({ id }: Webhook): Promise<string[]> => {
    const { deliveries } = await webhooks.findDeliveries(ada.userId, id, { page: 1, limit: 9 });
    return deliveries.map(({ status }) => status);
  };
  const noticesOf = async (): Promise<string[]> => {
    const rows = await query<{ text: string }>(
      `select detail ->> 'message' as text from notifications where user_id = $1 order by id`,
      [ada.userId],
    );
    return rows.map(({ text }) => text.split('. ')[0]!);
  };

  // Promise [webhooks]: Webhooks are disabled when the API token ends that created them.
  it('disables the webhooks that an ended API token created, and no others', async () => {
    const other = await mint();
    const hooks = [await create(program), await create(ada), await create(other)] as const;
    await addEvent();
    await tokens.revoke(ada.userId, program.tokenId);
    expect(await Promise.all(hooks.map(reasonOf))).toEqual(['token_ended', null, null]);
    await addEvent();
    expect(await statusesOf(hooks[0])).toEqual(['failed']);
    expect(await statusesOf(hooks[1])).toEqual(['pending', 'pending']);
    expect(await statusesOf(hooks[2])).toEqual(['pending', 'pending']);
  });

  it('disables a webhook when the API token ends that last changed its address or enabled it', async () => {
    const [moved, enabled, renamed] = [await create(ada), await create(ada), await create(ada)];
    await editing.update(program, moved.id, { url: URLS[1] });
    await editing.update(ada, enabled.id, { active: false });
    await editing.update(program, enabled.id, { active: true });
    await editing.update(program, renamed.id, { url: URLS[0], description: 'Mine' });
    await editing.update(program, renamed.id, { active: true });
    await editing.rotateSecret(program, renamed.id);
    await tokens.revokeCurrent(program);
    expect(await Promise.all([moved, enabled, renamed].map(reasonOf))).toEqual([
      'token_ended',
      'token_ended',
      null,
    ]);
  });

  it('disables a webhook with the token that set its address, unless the next token names this address', async () => {
    const [moved, named] = [await create(ada), await create(ada)];
    const thief = await mint();
    for (const { id } of [moved, named]) await editing.update(thief, id, { url: URLS[1] });
    await editing.update(program, moved.id, { active: true });
    await editing.update(program, named.id, { url: URLS[1], active: true });
    await tokens.revoke(ada.userId, thief.tokenId);
    expect(await Promise.all([moved, named].map(reasonOf))).toEqual(['token_ended', null]);
  });

  it('keeps the reason for which a webhook was disabled before its token ended', async () => {
    const hook = await create(program);
    await editing.update(program, hook.id, { active: false });
    await tokens.revokeCurrent(program);
    expect(await reasonOf(hook)).toBe('paused');
  });

  it('keeps a webhook enabled when its token ends, if a session has changed its address or enabled it again', async () => {
    const [moved, enabled] = [await create(program), await create(program)];
    await editing.update(ada, moved.id, { url: URLS[1] });
    const second = await mint();
    await editing.update(second, enabled.id, { url: URLS[1] });
    await tokens.revoke(ada.userId, second.tokenId);
    expect(await reasonOf(enabled)).toBe('token_ended');
    await editing.update(ada, enabled.id, { active: true });
    await tokens.revoke(ada.userId, program.tokenId);
    expect(await Promise.all([moved, enabled].map(reasonOf))).toEqual([null, null]);
  });

  it('adds no events for a webhook whose API token has expired; the sweep disables it and tells its owner', async () => {
    const hook = await create(program);
    await addEvent();
    await query(`update tokens set expires_at = now() where id = $1`, [program.tokenId]);
    await addEvent();
    expect(await statusesOf(hook)).toEqual(['pending']);
    const told = (await noticesOf()).length;
    expect(await editing.disableOfExpiredTokens()).toBe(1);
    expect(await editing.disableOfExpiredTokens()).toBe(0);
    expect(await noticesOf()).toHaveLength(told + 1);
    expect(await reasonOf(hook)).toBe('token_ended');
    expect(await statusesOf(hook)).toEqual(['failed']);
  });

  it('changes nothing for a token that has ended, and leaves no webhook enabled if it ends at the same time', async () => {
    const hook = await create(ada);
    await tokens.revoke(ada.userId, program.tokenId);
    await expect(create(program)).rejects.toThrow(UnauthenticatedError);
    await expect(editing.update(program, hook.id, { url: URLS[1] })).rejects.toThrow(UnauthenticatedError);
    await expect(editing.rotateSecret(program, hook.id)).rejects.toThrow(UnauthenticatedError);

    const programs = await Promise.all(Array.from({ length: 8 }, mint));
    await Promise.allSettled(
      programs.flatMap((caller) => [create(caller, URLS[1]), tokens.revoke(ada.userId, caller.tokenId)]),
    );
    const left = (await webhooks.list(ada.userId)).filter(({ disabledReason }) => disabledReason === null);
    expect(left.map(({ id }) => id)).toEqual([hook.id]);
  });

  // Promise [webhooks]: Owners are told about new webhooks, addresses and secrets.
  it('tells the owner of new webhooks, addresses and secrets, and of no other change', async () => {
    const { id } = await create(program);
    await editing.update(program, id, { url: URLS[0], active: false, description: 'Mine' });
    await editing.update(program, id, { url: URLS[1], active: true });
    await editing.rotateSecret(program, id);
    expect(await noticesOf()).toEqual([
      'A webhook was created: events about your media and posts are sent to one.example.org',
      'The address of a webhook was changed: events about your media and posts are sent to two.example.org',
      'The secret of the webhook to two.example.org was changed',
    ]);
  });

  it('sends at most two mails about webhooks in an hour, and still sends other notices', async () => {
    await query(`update users set email = $2, verified_email = $2 where id = $1`, [
      ada.userId,
      `${ada.username}@example.net`,
    ]);
    const createToken = (name: string) =>
      domain.get(AccountSecurity).createToken(ada, { currentPassword: PASSWORD }, { name });
    for (const name of ['one', 'two', 'three']) await createToken(name);
    for (let count = 0; count < 4; count++) await create(program);
    await createToken('camera');
    const mails = await query<{ notice: string }>(
      `select notice from mails where user_id = $1 and kind = 'notice' order by id`,
      [ada.userId],
    );
    expect(mails.map(({ notice }) => notice.split(' ').slice(0, 3).join(' '))).toEqual([
      ...Array<string>(3).fill('The API token'),
      'A webhook was',
      'A webhook was',
      'The API token',
    ]);
    expect(await noticesOf()).toHaveLength(8);
  });
});
