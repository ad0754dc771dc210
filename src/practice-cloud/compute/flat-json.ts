// A body that is a flat object whose keys the client chose.
import type { PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ScalarMap } from '../../compute/registry-schema';
import { IsScalarMap } from '../../compute/registry-schema';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { judgedBody, refuseOtherTypes } from '../../platform/http/json-body';
import { Received } from '../../platform/http/route.decorators';
import { noted } from '../../platform/http/schema.pipes';

class FlatBody {
  @IsScalarMap() readonly body!: ScalarMap;
}

class FlatBodyPipe implements PipeTransform<FastifyRequest, Promise<ScalarMap>> {
  async transform(request: FastifyRequest): Promise<ScalarMap> {
    refuseOtherTypes(request);
    const judged = await judgedBody(request, (body) => validDocument(FlatBody, { body }));
    return noted(judged, request).body;
  }
}

export const FlatJson = (): ParameterDecorator => Received(new FlatBodyPipe());
