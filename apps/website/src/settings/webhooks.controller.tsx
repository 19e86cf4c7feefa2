import { Controller, Get, Param, Post, Redirect } from '@nestjs/common';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@vitrine/contracts';
import { formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import { queryPage, idOf } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { newWebhookPage } from './new-webhook-page';
import type { WebhookForm } from './webhook-fields';
import { webhookPage } from './webhook-page';
import { webhooksPage } from './webhooks-page';

const PATH = '/settings/webhooks';

@Controller('settings/webhooks')
export class WebhooksController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    return webhooksPage({ webhooks: await visit.api.webhooks.list() });
  }

  /** The response contains the secret. A redirect to another page would require storing the secret. */
  @Post()
  async create(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const form = readForm(visit);
    try {
      // If the form is sent twice, the second response contains the same webhook.
      const made = await visit.api.webhooks.create(fieldsOf(form), { idempotencyKey: visit.idempotencyKey });
      return newWebhookPage(made);
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return webhooksPage({ webhooks: await visit.api.webhooks.list(), form, problem });
    }
  }

  @Get(':id')
  async show(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Page> {
    await visit.requireViewer();
    return this.page(visit, idOf(id));
  }

  @Post(':id')
  async change(@CurrentVisit() visit: Visit, @Param('id') text: string): Promise<Page | FormResult> {
    await visit.requireViewer();
    const id = idOf(text);
    const form = readForm(visit);
    try {
      await visit.api.webhooks.update(id, fieldsOf(form));
    } catch (error) {
      return this.page(visit, id, { form, problem: formProblemOf(error, visit) });
    }
    return new FormResult({ goTo: `${PATH}/${id}`, notice: 'The webhook was saved.' });
  }

  @Post(':id/pause')
  pause(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    return this.setActive(visit, idOf(id), false);
  }

  @Post(':id/enable')
  enable(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    return this.setActive(visit, idOf(id), true);
  }

  /** Redirects a reload of the page that showed a new secret. */
  @Get(':id/rotate')
  @Redirect(PATH, 303)
  showRotation(): void {}

  @Post(':id/rotate')
  async rotate(@CurrentVisit() visit: Visit, @Param('id') text: string): Promise<Page> {
    await visit.requireViewer();
    const id = idOf(text);
    const webhook = await visit.api.webhooks.get(id);
    const secret = await visit.api.webhooks.rotateSecret(id, { idempotencyKey: visit.idempotencyKey });
    return newWebhookPage({ message: '', secret, webhook });
  }

  @Post(':id/test')
  async test(@CurrentVisit() visit: Visit, @Param('id') text: string): Promise<FormResult> {
    await visit.requireViewer();
    const id = idOf(text);
    await visit.api.webhooks.test(id, { idempotencyKey: visit.idempotencyKey });
    return new FormResult({ goTo: `${PATH}/${id}`, notice: 'A test event is being sent.' });
  }

  @Post(':id/delete')
  async delete(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.webhooks.delete(idOf(id)));
    return new FormResult({ goTo: PATH, notice: 'The webhook was deleted.' });
  }

  @Post(':id/deliveries/:delivery/repeat')
  async repeat(
    @CurrentVisit() visit: Visit,
    @Param('id') text: string,
    @Param('delivery') delivery: string,
  ): Promise<FormResult> {
    await visit.requireViewer();
    const id = idOf(text);
    await visit.api.webhooks.repeat(id, idOf(delivery), { idempotencyKey: visit.idempotencyKey });
    return new FormResult({ goTo: `${PATH}/${id}`, notice: 'The delivery is being sent again.' });
  }

  private async setActive(visit: Visit, id: number, active: boolean): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.webhooks.update(id, { active });
    const notice = active ? 'The webhook was enabled.' : 'The webhook was paused.';
    return new FormResult({ goTo: `${PATH}/${id}`, notice });
  }

  private async page(
    visit: Visit,
    id: number,
    refused: Pick<Parameters<typeof webhookPage>[0], 'form' | 'problem'> = {},
  ): Promise<Page> {
    const [webhook, deliveries] = await Promise.all([
      visit.api.webhooks.get(id),
      visit.api.webhooks.deliveries(id).list({ page: queryPage(visit.request), limit: 25 }),
    ]);
    return webhookPage({ webhook, deliveries, path: visit.request.originalUrl, ...refused });
  }
}

const readForm = (visit: Visit): WebhookForm => ({
  url: fieldText(visit, 'url').trim(),
  description: fieldText(visit, 'description').trim(),
  events: fieldTexts(visit, 'events'),
});

/** The fields for the API. Throws if no event is chosen. */
function fieldsOf({ url, description, events: chosen }: WebhookForm): {
  url: string;
  description: string | null;
  events: WebhookEvent[];
} {
  const events = WEBHOOK_EVENTS.filter((event) => chosen.includes(event));
  if (events.length === 0) throw invalidFormError({ events: ['Choose at least one.'] });
  return { url, description: description === '' ? null : description, events };
}
