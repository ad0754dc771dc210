import { describeSchemasOf } from '../../../platform/http/dto-schema.fixture';
import { NewServerBody, ServerActionBody } from './servers.schema';

describeSchemasOf(NewServerBody, ServerActionBody);
