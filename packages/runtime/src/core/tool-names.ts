/** Names are separated by spaces; double quotes keep spaces, a backslash keeps what follows (rocr runtime.cpp parse_tool_names). */
export function splitToolNames(text: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character === '\\') {
      i++;
      name += text[i] ?? '';
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === ' ' && !isQuoted) {
      names.push(name);
      name = '';
    } else {
      name += character;
    }
  }
  return [...names, name].filter((each) => each !== '');
}
