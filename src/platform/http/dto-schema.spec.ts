import 'reflect-metadata';
import { IsString, ValidateBy } from 'class-validator';
import { dtoSchemaOf } from './dto-schema';

it('takes no rule that has no schema', () => {
  class UnusualDto {
    @ValidateBy({ name: 'isOdd', validator: { validate: () => true } }) readonly field!: string;
    @IsString() readonly name!: string;
  }
  expect(() => dtoSchemaOf(UnusualDto)).toThrow('a rule of UnusualDto.field has no schema');
});
