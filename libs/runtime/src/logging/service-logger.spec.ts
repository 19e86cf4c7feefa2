import { withCorrelation } from './correlation';
import { ServiceLogger } from './service-logger';

const linesOf = (work: () => void): string[] => {
  const lines: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  try {
    work();
  } finally {
    write.mockRestore();
  }
  return lines;
};

describe('the service logger', () => {
  it('writes one JSON object a line, with the service and the correlation id', () => {
    const logger = new ServiceLogger('upload-service', { logFormat: 'json', logLevel: 'log' });
    const [line] = linesOf(() => withCorrelation('c-1', () => logger.log('Taken in', 'Intake')));
    expect(JSON.parse(line!)).toMatchObject({
      level: 'log',
      message: 'Taken in',
      context: 'Intake',
      service: 'upload-service',
      correlation_id: 'c-1',
    });
  });

  it('keeps a message with line breaks on one line of JSON', () => {
    const logger = new ServiceLogger('x', { logFormat: 'json', logLevel: 'log' });
    const [line] = linesOf(() => logger.log('a\nb', 'Forged'));
    expect(line!.trimEnd()).not.toContain('\n');
  });

  it('leaves out what is below its level', () => {
    const logger = new ServiceLogger('x', { logFormat: 'text', logLevel: 'warn' });
    expect(linesOf(() => logger.log('quiet'))).toEqual([]);
  });

  it("takes Nest's boot chatter for debugging", () => {
    const logger = new ServiceLogger('x', { logFormat: 'json', logLevel: 'log' });
    expect(linesOf(() => logger.log('AppModule dependencies initialized', 'InstanceLoader'))).toEqual([]);
    const talkative = new ServiceLogger('x', { logFormat: 'json', logLevel: 'debug' });
    const [line] = linesOf(() => talkative.log('AppModule dependencies initialized', 'InstanceLoader'));
    expect(JSON.parse(line!)).toMatchObject({ level: 'debug', context: 'InstanceLoader' });
  });

  it('writes text for people', () => {
    const logger = new ServiceLogger('x', { logFormat: 'text', logLevel: 'log' });
    expect(linesOf(() => logger.log('Ready', 'Main')).join('')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} LOG {3}\[Main\] Ready\n$/,
    );
  });
});
