/**
 * Names of tools in a variable like HSA_TOOLS_LIB: separated by spaces; double quotes keep spaces, a closing one ends the name; a
 * backslash keeps what follows. Empty names are left out.
 */
export function parseToolNames(text: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  const end = (): void => {
    if (name !== '') names.push(name);
    name = '';
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '\\') {
      name += text[++index] ?? '';
    } else if (character === '"') {
      if (isQuoted) end();
      isQuoted = !isQuoted;
    } else if (character === ' ' && !isQuoted) {
      end();
    } else {
      name += character;
    }
  }
  end();
  return names;
}
