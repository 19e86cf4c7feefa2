import { Controller, Get } from '@nestjs/common';
import { AUDIT_ACTIONS, MAX_LENGTHS } from '@vitrine/contracts';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage, queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { AuditLogPage } from './audit-log-page';

const LOG_PAGE = 50;
const DAY_MS = 86_400_000;

/** The log of everything that staff did. */
@Controller('admin/audit-log')
export class AuditLogController {
  @Get()
  async log(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const { request } = visit;
    const text = (name: string, most: number): string => queryText(request, name).trim().slice(0, most);
    const filter = {
      actor: text('actor', MAX_LENGTHS.username),
      operator: queryText(request, 'operator') === '1',
      action: AUDIT_ACTIONS.find((known) => known === queryText(request, 'action')),
      subject: text('subject', 200),
      from: dayIn(queryText(request, 'from')),
      to: dayIn(queryText(request, 'to')),
    };
    const { actor, operator, action, subject, from, to } = filter;
    const log = await visit.api.admin.auditLog.list({
      page: queryPage(request),
      limit: LOG_PAGE,
      ...(actor !== '' && { actor }),
      ...(operator && { operator: true }),
      ...(action && { action }),
      ...(subject !== '' && { subject }),
      ...(from !== '' && { from: `${from}T00:00:00Z` }),
      ...(to !== '' && { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
    });
    return adminPage({
      title: 'Audit log',
      path: '/admin/audit-log',
      body: <AuditLogPage log={log} filter={filter} path={visit.path} />,
    });
  }
}

/** A day such as `2026-12-03`; empty if the text is none. */
const dayIn = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
