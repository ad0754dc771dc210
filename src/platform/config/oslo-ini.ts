// Parses the INI dialect of OpenStack's services. Pure: text in, entries and problems out; it knows no options.
//
//   # comment          ; comment
//   [group]
//   key = value        or  key: value, whichever sign comes first; quotes around a whole value are dropped
//     continued        an indented line continues the value, joined by a line break
//   key = another      a repeated key: every occurrence is kept, in order

/** One `key = value`, as written. */
interface IniEntry {
  readonly group: string;
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

/** `message` never quotes the line, because it can contain a password. */
interface IniProblem {
  readonly line: number;
  readonly message: string;
}

interface IniSection {
  readonly group: string;
  readonly line: number;
}

interface IniDocument {
  readonly sections: readonly IniSection[];
  readonly entries: readonly IniEntry[];
  readonly problems: readonly IniProblem[];
}

interface OpenEntry {
  readonly group: string;
  readonly name: string;
  readonly line: number;
  readonly parts: string[];
}

const unquote = (value: string): string => {
  const first = value[0];
  return value.length > 1 && (first === '"' || first === "'") && value.endsWith(first) ? value.slice(1, -1) : value;
};

const splitAssignment = (line: string): { readonly name: string; readonly value: string } | undefined => {
  const at = line.search(/[=:]/);
  return at < 0 ? undefined : { name: line.slice(0, at).trim(), value: unquote(line.slice(at + 1).trim()) };
};

const sectionName = (line: string): string | undefined => /^\[([^\]]+)\]$/.exec(line.trim())?.[1]?.trim() || undefined;

/** Reads line by line; an invalid line is reported and skipped, so one pass finds every problem. */
class IniReader {
  private readonly sections: IniSection[] = [];
  private readonly entries: IniEntry[] = [];
  private readonly problems: IniProblem[] = [];
  private group: string | undefined;
  private open: OpenEntry | undefined;
  /** Continuations of an invalid line are not reported separately. */
  private afterFault = false;

  read(text: string): IniDocument {
    const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
    lines.forEach((line, index) => this.line(line.trimEnd(), index + 1));
    this.close();
    return { sections: this.sections, entries: this.entries, problems: this.problems };
  }

  private line(line: string, number: number): void {
    const content = line.trimStart();
    if (content.startsWith('#') || content.startsWith(';')) return;
    if (content === '') this.close();
    else if (content.length < line.length) this.continuation(content, number);
    else if (line.startsWith('[')) this.section(line, number);
    else this.assignment(line, number);
  }

  private continuation(content: string, number: number): void {
    if (this.open !== undefined) this.open.parts.push(content);
    else if (!this.afterFault) this.fault(number, 'an indented line continues a value, but there is none above it');
  }

  private section(line: string, number: number): void {
    this.close();
    const group = sectionName(line);
    this.group = group ?? '';
    if (group === undefined) this.fault(number, 'a group is written [name], alone on its line');
    else this.sections.push({ group, line: number });
  }

  private assignment(line: string, number: number): void {
    this.close();
    const assignment = splitAssignment(line);
    if (assignment === undefined) return this.fault(number, 'expected key = value');
    if (assignment.name === '') return this.fault(number, 'the key is missing before the sign');
    if (this.group === undefined)
      return this.fault(number, `option ${assignment.name} stands before the first [group]`);
    // A group with an invalid header: the header is already reported.
    if (this.group !== '')
      this.open = { group: this.group, name: assignment.name, line: number, parts: [assignment.value] };
  }

  private fault(line: number, message: string): void {
    this.problems.push({ line, message });
    this.afterFault = true;
  }

  private close(): void {
    if (this.open !== undefined) {
      const { group, name, line, parts } = this.open;
      this.entries.push({ group, name, line, value: parts.filter((part, at) => at > 0 || part !== '').join('\n') });
    }
    this.open = undefined;
    this.afterFault = false;
  }
}

/** Never throws; `problems` has the invalid lines. */
export const parseIni = (text: string): IniDocument => new IniReader().read(text);
