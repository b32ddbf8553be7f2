import { cosine, embed } from './lexical-embedding.ts';

/** A sentence, a sentence with nearly the same meaning, and an unrelated sentence of about the same length. */
const TRIPLES: ReadonlyArray<readonly [text: string, near: string, unrelated: string]> = [
  ['The cat sat on the mat.', 'A cat was sitting on the mat.', 'The tax was due on the first.'],
  [
    'How do I reset my password?',
    'I need to reset the password of my account.',
    'How do I get to the railway station?',
  ],
  ['The train to Berlin leaves at nine.', 'At nine the train leaves for Berlin.', 'The soup tastes better with salt.'],
  [
    'Our quarterly revenue grew by ten percent.',
    'Revenue grew ten percent in the quarter.',
    'My grandfather repaired old clocks at night.',
  ],
  [
    'She plays the violin in an orchestra.',
    'In the orchestra she is a violin player.',
    'He mows the lawn on a Saturday.',
  ],
  ['Please cancel my subscription.', 'I want to cancel the subscription.', 'Please water the plants on Monday.'],
  [
    'The server returned an internal error.',
    'An internal server error was returned.',
    'The waiter brought another glass of wine.',
  ],
  [
    'Photosynthesis turns light into sugar.',
    'Plants make sugar from light by photosynthesis.',
    'Parliament debates the budget in autumn.',
  ],
  ['The patient has a high fever.', 'A high fever was found in the patient.', 'The painter has a new studio.'],
  ['We ship orders within two days.', 'Orders are shipped in two days.', 'We met friends in a small café.'],
  [
    'The database connection timed out.',
    'Timeout of the connection to the database.',
    'The mountain path was closed by snow.',
  ],
  [
    'Vaccines protect children from measles.',
    'Children are protected from measles by vaccines.',
    'Sailors navigate open oceans by stars.',
  ],
  [
    'The company hired three engineers.',
    'Three new engineers were hired by the company.',
    'The children built a castle of sand.',
  ],
  [
    'Interest rates rose again in March.',
    'In March the interest rate rose again.',
    'Ripe tomatoes belong in every salad.',
  ],
  ['My flight was delayed by fog.', 'Because of fog my flight had a delay.', 'My sister was taught by monks.'],
  ['The printer is out of paper.', 'There is no paper in the printer.', 'The hunter is lost in the woods.'],
  [
    'He translated the novel into French.',
    'The French translation of the novel is his.',
    'He repaired the bicycle with a wrench.',
  ],
  [
    'Bees pollinate most of our fruit trees.',
    'Most fruit trees are pollinated by bees.',
    'Judges decide some of the hard cases.',
  ],
  [
    'The museum opens at ten on Sundays.',
    'On Sunday the museum is open from ten.',
    'The dentist asked me to come back later.',
  ],
  [
    'Download the invoice as a PDF file.',
    'The invoice can be downloaded as PDF.',
    'Stir the batter with a wooden spoon.',
  ],
  [
    'Solar panels lower the electricity bill.',
    'The electricity bill is lower with solar panels.',
    'Old letters filled the wardrobe drawers.',
  ],
  ['The goalkeeper saved a penalty.', 'A penalty was saved by the goalkeeper.', 'The carpenter planed a table.'],
  [
    'Memory usage grows with every request.',
    'With each request the memory usage is growing.',
    'Opera singers rest before every premiere.',
  ],
  ['The bridge was damaged by the flood.', 'Floods damaged the bridge.', 'The judge was praised by the press.'],
  [
    'Wie setze ich mein Passwort zurück?',
    'Mein Passwort möchte ich zurücksetzen.',
    'Wann fährt der nächste Zug nach Wien?',
  ],
  ['Le musée est fermé le lundi.', 'Lundi, le musée reste fermé.', 'Le pain est encore trop chaud.'],
  ['El perro duerme en el jardín.', 'En el jardín está durmiendo el perro.', 'La factura vence a fin de mes.'],
  ['Поезд отправляется в девять часов.', 'В девять часов отправится поезд.', 'Суп вкуснее с солью и перцем.'],
  ['The color of the organization logo', 'the colour of the organisation’s logo', 'the length of the swimming pool'],
  [
    'function parseJson(text) { return JSON.parse(text); }',
    'const parseJson = (text) => JSON.parse(text);',
    'for (let i = 0; i < rows.length; i++) total += rows[i];',
  ],
];

describe('texts with nearly the same meaning', () => {
  it.each(TRIPLES)('have closer vectors than unrelated texts: %s', (text, near, unrelated) => {
    const anchor = embed(text);
    expect(cosine(anchor, embed(near))).toBeGreaterThan(cosine(anchor, embed(unrelated)) + 0.1);
  });

  it('have closer vectors than unrelated texts in 64 dimensions too, with at most one exception', () => {
    const kept = TRIPLES.filter(([text, near, unrelated]) => {
      const anchor = embed(text, 64);
      return cosine(anchor, embed(near, 64)) > cosine(anchor, embed(unrelated, 64));
    });
    expect(kept.length).toBeGreaterThanOrEqual(TRIPLES.length - 1);
  });
});
