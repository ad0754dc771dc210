import 'reflect-metadata';
import { IsString, ValidateBy } from 'class-validator';
import { dtoSchemaOf } from './dto-schema';

it('takes no rule that has no schema', () => {
  class OddDto {
    @ValidateBy({ name: 'isOdd', validator: { validate: () => true } }) readonly field!: string;
    @IsString() readonly name!: string;
  }
  expect(() => dtoSchemaOf(OddDto)).toThrow('a rule of OddDto.field has no schema');
});
