import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditEntryResource, AuditLogQuery, type PageResource } from '@vitrine/contracts/api';
import { type AuditEntry, AuditLog } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentAddress, presentPage, type RequestedAddress } from '@vitrine/http';
import { AnswersPage } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/audit-log`)
@Authenticated({ session: true, role: 'admin' })
export class AuditLogController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List what staff did',
    description:
      'Everything that moderators and admins did on the website and by the API, and the operator on the command line. Entries are never changed or removed. `total` counts up to 10,000, and there are no pages beyond that: use `to` to reach older entries.',
  })
  @AnswersPage(AuditEntryResource, 'One page of entries, newest first.')
  async list(
    @Query() { page, limit, ...filter }: AuditLogQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<AuditEntryResource>> {
    const { entries, total } = await this.audit.findPage(filter, page, limit);
    return presentPage(entries.map(presentAuditEntry), { page, limit, total }, address);
  }
}

/** The resource of an entry of the audit log. */
export const presentAuditEntry = (entry: AuditEntry): AuditEntryResource => ({
  id: entry.id,
  actor: entry.actor,
  action: entry.action,
  subject_type: entry.subjectType,
  subject: entry.subjectName,
  detail: entry.detail,
  address: entry.address,
  created_at: entry.createdAt.toISOString(),
});
