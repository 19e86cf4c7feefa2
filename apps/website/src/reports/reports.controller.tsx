import { Controller, Get, Post } from '@nestjs/common';
import type { BodyOf } from '@vitrine/client';
import { formTroubleOf } from '../rendering/form-trouble';
import { Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { ReportPage } from './report-page';

type Report = BodyOf<'createReport'>;

@Controller('reports')
export class ReportsController {
  /** The form alone, for links that lead to it: `type`, `target`, `next`, and the `key` of a private post. */
  @Get()
  async form(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const text = (name: string): string => queryText(visit.request, name);
    return reportPage({
      type: text('type') || 'post',
      target: text('target'),
      next: safePath(text('next')),
      accessKey: text('key') || undefined,
    });
  }

  @Post()
  async report(@CurrentVisit() visit: Visit): Promise<Outcome | Page> {
    await visit.requireViewer();
    const details = fieldText(visit, 'details').trim();
    const key = fieldText(visit, 'key') || undefined;
    const next = safePath(fieldText(visit, 'next'));
    // What none of these is, the API says.
    const report = {
      type: fieldText(visit, 'type') as Report['type'],
      target: fieldText(visit, 'target'),
      reason: fieldText(visit, 'reason') as Report['reason'],
      ...(details !== '' && { details }),
    };
    try {
      await visit.api.reports.create(report, { key }, { idempotencyKey: visit.idempotencyKey });
    } catch (error) {
      return reportPage({ ...report, next, accessKey: key, trouble: formTroubleOf(error, visit) });
    }
    return new Outcome({ goTo: next, notice: 'Thank you. A moderator will look at it.' });
  }
}

const reportPage = (props: Parameters<typeof ReportPage>[0]): Page =>
  new Page({
    title: 'Report',
    status: props.trouble?.status ?? 200,
    secret: true,
    head: { robots: 'noindex' },
    styles: ['post.css'],
    body: <ReportPage {...props} />,
  });
