import { Controller, Get, Post, Query } from '@nestjs/common';
import { type BodyOf, VitrineError } from '@vitrine/client';
import { Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { ReportPage } from './report-page';

type Report = BodyOf<'createReport'>;

@Controller('reports')
export class ReportsController {
  /** The form alone, for links that lead to it: `type`, `target`, `next`, and the `key` of a private post. */
  @Get()
  async form(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<Page> {
    await visit.requireViewer();
    const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '');
    return reportPage({
      type: text('type') || 'post',
      target: text('target'),
      next: safePath(query['next']),
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
      if (!(error instanceof VitrineError && error.code === 'invalid') || visit.wantsJson) throw error;
      return reportPage({ ...report, next, accessKey: key, errors: Object.values(error.errors).flat() }, 422);
    }
    return new Outcome({ goTo: next, notice: 'Thank you. A moderator will look at it.' });
  }
}

const reportPage = (props: Parameters<typeof ReportPage>[0], status = 200): Page =>
  new Page({
    title: 'Report',
    status,
    secret: true,
    head: { robots: 'noindex' },
    styles: ['post.css'],
    body: <ReportPage {...props} />,
  });
