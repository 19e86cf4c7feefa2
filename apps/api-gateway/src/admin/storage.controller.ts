import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { StorageOverviewResource } from '@vitrine/contracts/api';
import { QuotasService } from '@vitrine/domain';
import { presentStorageOverview } from '../quotas/quota.presenter';
import { API_PREFIX, Authenticated } from '@vitrine/http';
import { AnswersData } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin`)
@Authenticated({ session: true, role: 'admin' })
export class StorageController {
  constructor(private readonly quotas: QuotasService) {}

  @Get('storage')
  @ApiOperation({
    operationId: 'getStorage',
    summary: 'Get what is stored',
    description:
      'Bytes of originals and variants, in total and for images and videos, their limit, the changes of the latest 90 days, and the largest accounts. The totals are exact; the figures of days and accounts are some seconds old.',
  })
  @AnswersData(StorageOverviewResource, 'The use of the storage.')
  async show(): Promise<{ data: StorageOverviewResource }> {
    return { data: presentStorageOverview(await this.quotas.findOverview()) };
  }
}
