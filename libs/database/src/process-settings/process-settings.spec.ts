import { useDomain } from '@vitrine/testing';
import { Database } from '../access/database';
import { ProcessSettings } from './process-settings';

describe('ProcessSettings', () => {
  const domain = useDomain([]);
  let reports: ProcessSettings;
  beforeAll(() => {
    reports = new ProcessSettings(domain.get(Database));
  });

  const settings = (value: string) => [
    { name: 'LOG_LEVEL', description: 'Level.', secret: false, set: true, value },
  ];

  it('keeps the latest report of each replica, and forgets replicas that have ended', async () => {
    await reports.report({ process: 'website', instance: 'ended/1', settings: settings('debug') });
    await domain.dataSource.query(`update process_settings set seen_at = now() - interval '4 minutes'`);
    expect(await reports.findAll()).toEqual([]);
    await reports.report({ process: 'website', instance: 'b/1', settings: settings('debug') });
    await reports.report({ process: 'website', instance: 'a/1', settings: settings('debug') });
    await reports.report({ process: 'website', instance: 'b/1', settings: settings('log') });
    const expected = [
      { process: 'website', instance: 'a/1', settings: settings('debug') },
      { process: 'website', instance: 'b/1', settings: settings('log') },
    ];
    expect(await reports.findAll()).toEqual(expected);
    const rows = await domain.dataSource.query('select instance from process_settings order by instance');
    expect(rows).toEqual([{ instance: 'a/1' }, { instance: 'b/1' }]);
  });
});
