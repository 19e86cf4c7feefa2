import { useDomain } from '@vitrine/testing';
import { InvalidFieldsError, TooManyRequestsError } from '../../base/errors/domain-error';
import { AdmissionModule } from './admission.module';
import { RegistrationService } from './registration.service';

describe('AccountCreation', () => {
  const domain = useDomain([AdmissionModule]);
  let registration: RegistrationService;

  beforeAll(() => {
    registration = domain.get(RegistrationService);
  });

  it('does not hash the password if the username is or was taken', async () => {
    const password = 'correct horse battery';
    await registration.register({ username: 'ada', password }, null, '192.0.2.1', null);
    await registration.register({ username: 'grace', password }, null, '192.0.2.1', null);
    await domain.dataSource.query(
      `update users set deleted_at = now(), password_hash = null where username = 'grace'`,
    );
    // More than the hasher allows to wait.
    const tries = Array.from({ length: 200 }, (_, index) =>
      registration.register({ username: index % 2 ? 'ADA' : 'Grace', password }, null, '192.0.2.1', null),
    );
    const errors = (await Promise.allSettled(tries)).map((result) =>
      result.status === 'rejected' ? (result.reason as Error).message : 'registered',
    );
    expect([...new Set(errors)]).toEqual(['invalid_fields']);
  });

  it('judges at most 60 passwords an hour for one address, also if no account is created', async () => {
    const fail = (n: number, address: string) =>
      registration.register({ username: `weak_${n}`, password: 'password123' }, null, address, null);
    for (let n = 0; n < 60; n++) await expect(fail(n, '192.0.2.9')).rejects.toThrow(InvalidFieldsError);
    await expect(fail(60, '192.0.2.9')).rejects.toThrow(TooManyRequestsError);
    await expect(fail(61, '192.0.2.10')).rejects.toThrow(InvalidFieldsError);
  });
});
