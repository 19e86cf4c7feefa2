import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { wantsXml } from './dialect-requests';
import { imgurXml } from './imgur-xml';

const STATUS = 200;

/** Sends what a route returns as Imgur does: in an envelope, as XML if the client asked for it. */
@Injectable()
export class ImgurAnswersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const isXml = wantsXml(http.getRequest<Request>());
    return next.handle().pipe(
      map((data: unknown) => {
        if (!isXml) return { data, success: true, status: STATUS };
        http.getResponse<Response>().type('text/xml; charset=utf-8');
        return imgurXml(data, STATUS);
      }),
    );
  }
}
