import { Entity } from 'typeorm';
import { IntegerColumn } from '../../platform/database/columns';

@Entity('resource_provider_traits')
export class StoredProviderTrait {
  @IntegerColumn({ primary: true, name: 'resource_provider_id' }) readonly providerId!: number;
  @IntegerColumn({ primary: true, name: 'trait_id' }) readonly id!: number;
}
