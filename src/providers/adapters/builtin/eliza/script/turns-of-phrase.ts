/** How statements are joined, limited, compared and valued. */
export const TURNS_OF_PHRASE = `
key 11: because
  if * because +
    say How strong a reason is that, in your eyes?
    say What would somebody say who does not accept that reason?
    say And what lies behind that reason in turn?
    say If that were not so, what would be different?

key 14: if
  if * if i +
    say What would it change if you (2)?
    say How likely is it that you (2)?
  if * if you +
    say What if I (2)?
  if * if only +
    say What would be different then?
  if * if +
    say Do you expect that (2)?
    say What would you do if (2)?

key 11: always constantly everytime
  if * always +
    say Always? Can you think of a time when it was not so?
    say When did you notice it first?
    say What is the most recent example?
  if *
    say When exactly?

key 10: sometimes often usually rarely lately recently
  if * lately *
    say What was different before?
    say What else has changed lately?
  if * sometimes *
    say And at other times?
    say What makes the difference?
  if *
    say How often, would you say?
    say When was the last time?

key 10: try tried trying
  if * @i tried to +
    say What happened when you tried to (3)?
    say What would you do differently the next time?
  if * @i tried +
    say What came of it?
  if *
    say What would success look like?

key 10: same similar remind reminds alike
  if * reminds me of +
    say What is the likeness between the two?
    say What feeling goes with (2)?
  if * the same *
    say How far does the likeness go?
    say And what is different this time?
  if *
    say What do the two have in common?

key 5: it this that
  if is @it +
    say What would it mean to you if it were (2)?
    say Who could tell whether it is (2)?
  if * that is all *
    say Then let us leave it at that. What else is on your mind?
  if * that is +
    say What makes it (2)?
    say How do you know?
    say Would others see it like that?
  if * it is +
    say What makes it (2)?
    say Has it always been (2)?
    say How would you like it to be?
  if * it does not *
    say What would have to change?
  if * this is +
    say In what way is it (2)?
  if *
    say What does that mean to you?
    say Can you describe it more closely?

key 6: perfect awful terrible horrible bad good nice
  if * that is @quality *
    say What makes it (2)?
  if * would be @quality *
    say What would be the best part of it?
    say What would it take?
  if * not @quality *
    say What would have to be different?
  if *
    say What makes you call it that?
    say Compared with what?

key 15: change changed changes improve
  if * @i want to change *
    say What would you change first?
  if * nothing * @change *
    say What is the smallest thing that could?
  if *
    say What started the change?
    say What should stay as it is?
`;
