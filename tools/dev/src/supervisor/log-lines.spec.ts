import { PassThrough } from 'node:stream';
import { LogLines } from './log-lines';

describe('LogLines', () => {
  const written = (output: PassThrough): string => String(output.read() ?? '');

  it('writes whole lines only, each under the name of its process', async () => {
    const output = new PassThrough();
    const log = new LogLines(output, ['api', 'website']);
    const [api, website] = [new PassThrough(), new PassThrough()];
    log.follow('api', api);
    log.follow('website', website);

    api.write('half a ');
    website.end('other\r\n');
    await new Promise((done) => setImmediate(done));
    expect(written(output)).toBe('website | other\n');
    api.end('line\nno break at the end');
    await new Promise((done) => setImmediate(done));
    expect(written(output)).toBe('api     | half a line\napi     | no break at the end\n');
  });

  it('colours only the names, and only on a terminal', () => {
    const output = new PassThrough();

    new LogLines(output, ['api'], true).write('api', 'one\ntwo');

    expect(written(output)).toBe('\u001B[36mapi |\u001B[0m one\n\u001B[36mapi |\u001B[0m two\n');
  });

  it('removes control characters from output', () => {
    const output = new PassThrough();

    new LogLines(output, ['api']).write('api', 'a\u001b[2Jb\u009bc');

    expect(written(output)).toBe('api | a\\u001b[2Jb\\u009bc\n');
  });

  it('keeps running when the terminal is closed', () => {
    const output = new PassThrough();
    const log = new LogLines(output, ['api']);

    output.destroy(new Error('EPIPE'));

    expect(() => log.plain('anyone there?')).not.toThrow();
  });
});
