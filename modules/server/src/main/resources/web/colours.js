// A colour for each executor: distinct while there are at most as many as the palette has, and the same after a reload.

const PALETTE = [
  '#4e79a7', '#e8812a', '#4f9d5b', '#d9484c', '#9467bd', '#2aa198', '#b8860b', '#d6619e', '#7a6a5d', '#5b6ee1', '#7f9c1c', '#1f9bcf',
  '#a0522d', '#c44fd0', '#3f7f6f', '#c0657a', '#6f7f94', '#8a5fd6', '#b5651d', '#2e8b57', '#ad3f6b', '#5f8fc9', '#8c8c2e', '#d2694f'];
const STORED = 'shardwright.colours';
const REMEMBERED = 500;

let slots = new Map();
try {
  slots = new Map(JSON.parse(localStorage.getItem(STORED) ?? '[]'));
} catch {
  // Not allowed to remember, or not ours: the order of the ids decides then.
}

/** Gives executors that have none a free colour; those who are gone give theirs up only when it is needed. */
export function colourAll(ids) {
  const unknown = ids.filter((id) => !slots.has(id));
  if (unknown.length === 0) return;
  const used = new Set(slots.values());
  if (used.size + unknown.length > PALETTE.length) {
    const present = new Set(ids);
    for (const id of [...slots.keys()]) if (!present.has(id)) used.delete(slots.get(id)) && slots.delete(id);
  }
  let slot = 0;
  for (const id of unknown) {
    while (used.has(slot)) slot++;
    slots.set(id, slot);
    used.add(slot);
  }
  try {
    if (slots.size <= REMEMBERED) localStorage.setItem(STORED, JSON.stringify([...slots]));
  } catch {
    // See above.
  }
}

/** The colour of an executor. */
export function colourOf(id) {
  if (!slots.has(id)) colourAll([id]);
  const slot = slots.get(id);
  return slot < PALETTE.length ? PALETTE[slot] : `hsl(${(slot * 137.508) % 360} ${45 + (slot % 3) * 12}% ${42 + (slot % 4) * 6}%)`;
}
