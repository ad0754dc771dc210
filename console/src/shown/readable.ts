// Amounts and times in the service's sentences, in the units that the console shows everywhere. The service writes the
// unit of the resource class, for example 16384 MEMORY_MB, and all digits.
import { ageText } from './age';
import { amountText, classNoun } from './amount';

/** An amount of a class, and figures of the class in brackets after it: `98560 MEMORY_MB (512 free, 99072 asked)`. */
const AMOUNTS =
  /\b(?:(\d+) )?(MEMORY_MB|DISK_GB)\b((?: free| on [\w.-]+)? \((?:largest|most|capacity|m(?:in|ax)_unit|step_size|-?\d+(?: to -?\d+)? free)\b[^()]*(?:\([^()]*\)[^()]*)*\))?/g;
const FIGURE = /(?<![\w.-]|ratio )-?\d+\b(?!\.\d)/g;
const AGE = /\b(\d+(?:\.\d+)?) s ago\b/g;
const DIGITS = /(?<![\w.-])\d+\.\d{4,}(?![\w.-]*\w)/g;
const MORE_OF_CLASS = /\bmore (MEMORY_MB|DISK_GB) allocated than capacity, by (\d+)/g;

export const readable = (sentence: string): string =>
  sentence
    .replace(AGE, (_, seconds: string) => `${ageText(Number(seconds))} ago`)
    .replace(DIGITS, (figure) => String(Number(Number(figure).toPrecision(4))))
    .replace(
      MORE_OF_CLASS,
      (_, name: string, amount: string) =>
        `more ${classNoun(name)} allocated than capacity, by ${amountText(name, Number(amount))}`,
    )
    .replace(AMOUNTS, (_, amount: string | undefined, name: string, figures = '') => {
      const shown = amount === undefined ? name : `${amountText(name, Number(amount))} ${classNoun(name)}`;
      return shown + String(figures).replace(FIGURE, (figure) => amountText(name, Number(figure)));
    });
