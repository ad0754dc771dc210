// Amounts in the service's sentences, in the units that the console shows everywhere. The service writes the unit of the
// resource class, for example 16384 MEMORY_MB.
import { amountText, classNoun, classText } from './amount';

const AMOUNT_OF_CLASS = /\b(\d+) (MEMORY_MB|DISK_GB)\b/g;
/** The amounts after one of them: `(90000 to 215536 used of 129024)`, `(capacity 31744 to 94208)`. */
const FURTHER_AMOUNTS = /\b\d+ (MEMORY_MB|DISK_GB)\b[^;]*?\((?:capacity \d+|\d+(?: to \d+)? used of \d+)(?: to \d+)?/g;
/** A sentence about one class, up to its end: `MEMORY_MB: 90000 used + 110000 asked > 129024 capacity`. */
const CLASS_FIRST = /\b(MEMORY_MB|DISK_GB): ([^;]*)/g;
const MORE_OF_CLASS = /\bmore (MEMORY_MB|DISK_GB) allocated than capacity, by (\d+)/g;

export const readable = (sentence: string): string =>
  sentence
    .replace(
      CLASS_FIRST,
      (_, name: string, rest: string) =>
        `${classText(name)}: ${rest.replace(/(?<![\w.-])\d+(?= (?:used|asked|capacity|total|reserved|left)|$| ?[+>])/g, (amount) => amountText(name, Number(amount)))}`,
    )
    .replace(
      MORE_OF_CLASS,
      (_, name: string, amount: string) =>
        `more ${classNoun(name)} allocated than capacity, by ${amountText(name, Number(amount))}`,
    )
    .replace(FURTHER_AMOUNTS, (phrase, name: string) => {
      const at = phrase.lastIndexOf('(');
      return phrase.slice(0, at) + phrase.slice(at).replace(/\d+/g, (amount) => amountText(name, Number(amount)));
    })
    .replace(
      AMOUNT_OF_CLASS,
      (_, amount: string, name: string) => `${amountText(name, Number(amount))} ${classNoun(name)}`,
    );
