import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { AdmissionModule } from '../../accounts/admission/admission.module';
import { RegistrationService } from '../../accounts/admission/registration.service';
import type { Caller } from '../../base/access/caller';
import { Mails } from '../../outgoing/mails/mails.service';
import { TokensService } from '../tokens/tokens.service';
import { EmailAddresses } from '../../accounts/users/email-addresses.service';
import { UsersService } from '../../accounts/users/users.service';
import type { Webhook } from '../../outgoing/webhooks/webhook.types';
import { WebhooksService } from '../../outgoing/webhooks/webhooks.service';
import { PasswordChanges } from './password-changes.service';
import { PasswordsModule } from './passwords.module';
import { ResetLinks } from './reset-links.service';
import { ProfileEditing } from '../../accounts/profiles/profile-editing.service';
import { ProfilesModule } from '../../accounts/profiles/profiles.module';

const [PASSWORD, NEW_PASSWORD] = ['correct horse battery', 'staple of the old horse'];

describe('PasswordChanges', () => {
  const domain = useDomain([AdmissionModule, PasswordsModule, ProfilesModule]);
  let users: UsersService;
  let changes: PasswordChanges;
  let people = 0;

  beforeAll(() => {
    users = domain.get(UsersService);
    changes = domain.get(PasswordChanges);
  });

  const join = async (): Promise<Caller> => {
    const username = `person_${++people}`;
    const email = `${username}@example.net`;
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD, email }, null, username, null);
    return (await domain.get(TokensService).authenticate(secret))!;
  };
  const change = (caller: Caller): Promise<void> =>
    changes.change(caller, { currentPassword: PASSWORD }, NEW_PASSWORD, false);
  const keep = (caller: Caller): Promise<void> =>
    changes.change(caller, { currentPassword: PASSWORD }, NEW_PASSWORD, true);
  const reset = async ({ userId }: Caller): Promise<void> =>
    changes.reset((await domain.get(ResetLinks).create(userId)).code, NEW_PASSWORD);
  /** The code of the link that confirms the address which an account has entered. */
  const linkTo = async ({ userId }: Caller, address: string): Promise<string> => {
    const link = { userId, purpose: 'verify-email', address } as const;
    return (await domain.get(Database).transaction((tx) => domain.get(Mails).mintLink(tx, link))).code;
  };
  const addressesOf = async ({ userId }: Caller) => {
    const { email, verifiedEmail } = await users.findAccount(userId);
    return { email, verifiedEmail };
  };

  // Promise [accounts]: A new password cancels an unverified change of the email address.
  it.each([
    ['changed', change],
    ['set with a link', reset],
  ])(
    'cancels a change of the email address that is not verified yet, when the password is %s',
    async (_, replace) => {
      const ada = await join();
      const own = `${ada.username}@example.net`;
      await domain.get(EmailAddresses).verify(await linkTo(ada, own));
      await domain.get(ProfileEditing).update(ada, { email: 'thief@example.net', currentPassword: PASSWORD });
      const code = await linkTo(ada, 'thief@example.net');
      await replace(ada);
      await expect(domain.get(EmailAddresses).verify(code)).rejects.toMatchObject({ code: 'invalid_fields' });
      expect(await addressesOf(ada)).toEqual({ email: own, verifiedEmail: own });
    },
  );

  it('keeps an address that was never verified, but its link becomes invalid', async () => {
    const ada = await join();
    const own = `${ada.username}@example.net`;
    const code = await linkTo(ada, own);
    await change(ada);
    await expect(domain.get(EmailAddresses).verify(code)).rejects.toMatchObject({ code: 'invalid_fields' });
    expect(await addressesOf(ada)).toEqual({ email: own, verifiedEmail: null });
  });

  // Promise [webhooks]: A new password disables all webhooks, unless tokens are kept.
  it.each([
    ['changed', change, ['password_changed', 'token_ended']],
    ['set with a link', reset, ['password_changed', 'token_ended']],
    ['changed and API tokens are kept', keep, [null, null]],
  ])(
    'disables all webhooks and gives up their deliveries, unless API tokens are kept, when the password is %s',
    async (_, replace, reasons) => {
      const ada = await join();
      const { userId } = ada;
      const tokens = domain.get(TokensService);
      const { secret } = await tokens.create(userId, { name: 'program', scopes: ['write'] });
      const program = (await tokens.authenticate(secret))!;
      const webhooks = domain.get(WebhooksService);
      const hooks: Webhook[] = [];
      for (const tokenId of [null, program.tokenId]) {
        const { webhook } = await domain
          .get(Database)
          .transaction((tx) =>
            webhooks.create(tx, { userId, tokenId }, { url: 'https://hooks.example.org/' }),
          );
        await webhooks.sendTest(userId, webhook.id);
        hooks.push(webhook);
      }
      await replace(ada);
      for (const [index, { id }] of hooks.entries()) {
        const reason = reasons[index];
        expect(await webhooks.find(userId, id)).toMatchObject({ disabledReason: reason });
        const { deliveries } = await webhooks.findDeliveries(userId, id, { page: 1, limit: 9 });
        expect(deliveries).toMatchObject([{ status: reason === null ? 'pending' : 'failed' }]);
      }
    },
  );
});
