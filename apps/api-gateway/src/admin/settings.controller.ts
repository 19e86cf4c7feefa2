import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SettingResource } from '@vitrine/contracts/api';
import { type ProcessReport, ProcessSettings } from '@vitrine/database';
import { API_PREFIX, Authenticated } from '@vitrine/http';
import { AnswersData } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/settings`)
@Authenticated({ session: true, role: 'admin' })
export class SettingsController {
  constructor(private readonly settings: ProcessSettings) {}

  @Get()
  @ApiOperation({
    operationId: 'listSettings',
    summary: 'List the settings in effect',
    description:
      'Lists the settings of all running processes except the website, which has no access to the database. Processes report them every minute. If replicas have different values, each value is listed. Secrets, and addresses that may contain one, are never shown, only whether they are set.',
  })
  @AnswersData([SettingResource], 'The settings, ordered by process and name.')
  async list(): Promise<{ data: SettingResource[] }> {
    return { data: present(await this.settings.findAll()) };
  }
}

/** One resource for each value, with the replicas that have it. */
function present(reports: readonly ProcessReport[]): SettingResource[] {
  const resources = new Map<string, SettingResource>();
  for (const { process, instance, settings } of reports) {
    for (const { name, description, secret, set, value } of settings) {
      const key = JSON.stringify([process, name, set, value]);
      const known = resources.get(key);
      if (known) known.instances.push(instance);
      else resources.set(key, { process, instances: [instance], name, description, secret, set, value });
    }
  }
  return [...resources.values()].sort(
    (a, b) => a.process.localeCompare(b.process, 'en') || a.name.localeCompare(b.name, 'en'),
  );
}
