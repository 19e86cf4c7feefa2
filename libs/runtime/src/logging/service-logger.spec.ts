import { withCorrelation } from './correlation';
import { ServiceLogger } from './service-logger';

const linesOf = (work: () => void): string[] => {
  const lines: string[] = [];
  const writes = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0),
  );
  try {
    work();
  } finally {
    for (const write of writes) write.mockRestore();
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

  it('leaves out lines below its level', () => {
    const logger = new ServiceLogger('x', { logFormat: 'text', logLevel: 'warn' });
    expect(linesOf(() => logger.log('quiet'))).toEqual([]);
  });

  it("logs Nest's start-up lines at debug", () => {
    const logger = new ServiceLogger('x', { logFormat: 'json', logLevel: 'log' });
    expect(linesOf(() => logger.log('AppModule dependencies initialized', 'InstanceLoader'))).toEqual([]);
    const debugLogger = new ServiceLogger('x', { logFormat: 'json', logLevel: 'debug' });
    const [line] = linesOf(() => debugLogger.log('AppModule dependencies initialized', 'InstanceLoader'));
    expect(JSON.parse(line!)).toMatchObject({ level: 'debug', context: 'InstanceLoader' });
  });

  it('writes text for people', () => {
    const logger = new ServiceLogger('x', { logFormat: 'text', logLevel: 'log' });
    expect(linesOf(() => logger.log('Ready', 'Main')).join('')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} LOG {3}\[Main\] Ready\n$/,
    );
  });

  describe.each(['json', 'text'] as const)('as %s', (logFormat) => {
    const logger = new ServiceLogger('x', { logFormat, logLevel: 'debug' });

    /** An error like those of TypeORM and pg, with the statement, its parameters and the row as properties. */
    const driverError = (): Error => {
      const details = {
        query: 'insert into users values ($1, $2)',
        parameters: ['ada@example.org', '$argon2id$secret'],
        detail: 'Key (email)=(ada@example.org) already exists.',
        code: '23505',
      };
      const driver = Object.assign(new Error('duplicate key'), details);
      return Object.assign(new Error('duplicate key', { cause: driver }), details, { driverError: driver });
    };

    it.each<[string, (error: Error) => void]>([
      ['itself', (error) => logger.error(error, 'Filter')],
      ['with a message', (error) => logger.error('Failed', error, 'Filter')],
      ['in a warning', (error) => logger.warn(error)],
      ['as a cause', (error) => logger.error(new Error('Migration failed', { cause: error }))],
      ['among several', (error) => logger.fatal(new AggregateError([error], 'Several'))],
      ['in an object', (error) => logger.error({ what: [error] })],
      ['in parameters', (error) => logger.log('Failed', { deep: { error } }, 'Filter')],
    ])('logs of a driver error %s its message and SQLSTATE, not the statement', (_, log) => {
      const written = linesOf(() => log(driverError())).join('');
      expect(written).not.toMatch(/argon2id|ada@example|insert into|\$1/);
      if (logFormat === 'json') expect(JSON.parse(written)).toMatchObject({ level: expect.any(String) });
    });

    it('keeps name, message, stack and code of an error', () => {
      const written = linesOf(() => logger.error(driverError(), 'Filter')).join('');
      expect(written).toContain('duplicate key');
      expect(written).toContain('23505');
      expect(written).toContain('service-logger.spec');
    });

    it('accepts an error that is its own cause', () => {
      const error = new Error('round');
      error.cause = error;
      expect(linesOf(() => logger.error(error)).join('')).toContain('round');
    });

    it('escapes characters that control a terminal', () => {
      const hostile = 'a\u001b[2Jb\rc\u009b31md\u007fe\u202ef\u2028g\u0000';
      const written = linesOf(() => {
        logger.warn(hostile);
        logger.error(new Error(hostile));
        logger.error('Failed', `Error: ${hostile}\n    at here (file.js:1:1)`, 'Main');
      }).join('');
      // eslint-disable-next-line no-control-regex
      expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
      expect(written).toContain('a\\u001b[2Jb');
    });
  });

  it('indents further lines of a message', () => {
    const logger = new ServiceLogger('x', { logFormat: 'text', logLevel: 'log' });
    const forged = 'clip.mp4\n12:00:00.000 ERROR [Main] Stolen\n\n12:00:00.000 LOG x';
    const written = linesOf(() => {
      logger.log(forged, 'Intake');
      logger.error(new Error(forged), 'Intake');
    }).join('');
    expect(written.split('\n').filter((line) => /^\d\d:/.test(line))).toHaveLength(2);
  });
});
