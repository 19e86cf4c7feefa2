import { Controller, Get } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SettingResource } from '@vitrine/contracts/api';
import { API_PREFIX, Authenticated } from '@vitrine/http';
import { type EffectiveSetting, effectiveSettings, isConfig } from '@vitrine/runtime';
import { AnswersData } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/settings`)
@Authenticated({ session: true, role: 'admin' })
export class SettingsController {
  constructor(private readonly discovery: DiscoveryService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSettings',
    summary: 'List the settings in effect',
    description:
      'Those of the api-gateway that answers. Secrets, and addresses that may contain one, are never shown, only whether they are set.',
  })
  @AnswersData([SettingResource], 'The settings, by name.')
  list(): { data: SettingResource[] } {
    const configs = new Set(
      this.discovery
        .getProviders()
        .filter(({ token }) => isConfig(token))
        .map(({ instance }) => instance as object),
    );
    return { data: effectiveSettings([...configs]).map(present) };
  }
}

const present = ({ env, why, isSecret, isSet, value }: EffectiveSetting): SettingResource => ({
  name: env,
  description: why,
  secret: isSecret,
  set: isSet,
  value,
});
