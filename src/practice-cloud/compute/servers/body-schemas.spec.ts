import { describeSchemasOf } from '../../../platform/http/dto-schema.fixture';
import { NewFlavorBody } from '../flavors/compute-flavors.schema';
import { NewServerGroupBody } from '../server-groups/compute-server-groups.schema';
import { ServiceChangeBody } from '../services/compute-services.schema';
import { NewServerBody, ServerActionBody } from './servers.schema';

describeSchemasOf(NewServerBody, ServerActionBody, NewFlavorBody, NewServerGroupBody, ServiceChangeBody);
