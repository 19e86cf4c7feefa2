import { effectiveSettings } from './effective-settings';
import * as parse from './parsers';
import { loadConfig, Setting } from './setting';

class ExampleConfig {
  @Setting({ env: 'FEED_SIZE', why: 'Items.', parse: parse.integer(1, 9), default: 5, example: '5' })
  size!: number;

  @Setting({ env: 'BROKER', why: 'Address.', parse: String, default: '', example: 'x', secret: true })
  broker!: string;

  @Setting({ env: 'MAIL_ADDRESS', why: 'Server.', parse: String, default: '', example: 'smtp://mail' })
  mail!: string;

  @Setting({ env: 'SIGNING_KEY', why: 'Key.', parse: String, default: '', example: 'k' })
  key!: string;

  @Setting({ env: 'NAMES', why: 'Names.', parse: (text) => text.split(','), default: [], example: 'a,b' })
  names!: string[];

  @Setting({ env: 'PARTNERS', why: 'JSON.', parse: JSON.parse, default: [], example: '[]' })
  partners!: { readonly name: string }[];
}

describe('effectiveSettings', () => {
  const shown = (env: Record<string, string>) =>
    Object.fromEntries(
      effectiveSettings([loadConfig(ExampleConfig, env)]).map(({ name, set, value }) => [name, [set, value]]),
    );

  it('shows the values that a process uses, by name', () => {
    expect(shown({ NAMES: 'a,b', MAIL_ADDRESS: 'smtp://mail.example' })).toEqual({
      BROKER: [false, null],
      FEED_SIZE: [true, '5'],
      MAIL_ADDRESS: [true, 'smtp://mail.example'],
      NAMES: [true, 'a,b'],
      PARTNERS: [false, ''],
      SIGNING_KEY: [false, null],
    });
  });

  it('never shows values with named parts, any of which may be a secret', () => {
    for (const partners of [[{ name: 'one', client: { secret: 'hidden-4' } }], { one: 'hidden-4' }])
      expect(shown({ PARTNERS: JSON.stringify(partners) })).toMatchObject({ PARTNERS: [true, null] });
  });

  it('shows of secrets only whether they are set: declared ones, those with such a name, and addresses with a password', () => {
    const values = {
      BROKER: 'amqp://hidden-1',
      MAIL_ADDRESS: 'smtp://me:hidden-2@mail',
      SIGNING_KEY: 'hidden-3',
    };
    expect(shown(values)).toMatchObject({
      BROKER: [true, null],
      MAIL_ADDRESS: [true, null],
      SIGNING_KEY: [true, null],
    });
    expect(JSON.stringify(effectiveSettings([loadConfig(ExampleConfig, values)]))).not.toContain('hidden');
  });
});
