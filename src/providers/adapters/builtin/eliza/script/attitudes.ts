/** What the user wants, likes, believes and judges. */
export const ATTITUDES = `
key 17: want need wish hope crave desire
  if * @i want you to +
    say What would it mean to you if I could (3)?
    say I can only converse. Who else could (3)?
  if * what do you want *
    say I have no wishes; I am a program. What do you want?
  if * @i do not want to +
    say What would happen if you did?
  if * @i don't want to +
    say What would happen if you did?
    say What would you rather do?
  if * @i wish i +
    say What would be different if you (3)?
    say What stands in the way?
  if * @i @hope + will +
    say What makes you hope for it?
    say What if (3) does not (4)?
  if * @i don't need +
    say What do you need instead?
  if * @i @want to +
    say What would it be like to (4)?
    say What keeps you from it?
    say Who could help you to (4)?
    keep You said that you want to (4). What would be the first step?
  if * @i @want +
    say What would (4) change for you?
    say Where would (4) lead you?
    say Why just now?
    keep Some time ago you said that you (3) (4). Is that still so?
  if * wish that +
    say What would be different then?
  if * @we @want +
    say What would it be good for?

key 16: think believe suspect doubt
  if * @i @think so *
    say What would settle it?
  if * @i don't think *
    say What speaks against it?
    say What would convince you of the opposite?
  if * @i @think i +
    say What tells you so?
    say How sure are you that you (4)?
  if * @i @think that +
    say What makes you think so?
    say Did you ever think otherwise?
  if * @i @think about +
    say What do you feel when you think about (4)?
  if * @i @think +
    say Do you have doubts about it?
    say What would somebody say who disagrees?
    say How did you come to see it that way?
  if * do you @think +
    say It is your view that counts here. What do you think?
    say A program has no views. What would you like me to say?

key 16: feel feeling felt
  if how do you feel *
    go how
  if * @i feel like a +
    say What is it like to feel like a (3)?
  if * @i feel like +
    say What would follow if you did that?
    say When did that begin?
  if * @i feel that +
    say What gives you that feeling?
  if * @i don't feel +
    say What do you feel instead?
  if * @i felt +
    say And how do you feel about it today?
    say What made you feel (3)?
  if * @i @feel +
    say Tell me more about feeling (4).
    say Do you often feel (4)?
    say What would you rather feel?
    keep You told me that you feel (4). How is it now?
  if *
    say Which feeling is the strongest?

key 13: love like enjoy prefer adore
  if * i love you *
    say That is kind, but I am a program. Is there a person to whom you would say it?
  if * do you @like +
    say I have no tastes. What do you like about (3)?
  if * @i @like you *
    say Thank you. What is it that you like?
  if * @i don't @like +
    say What puts you off (4)?
    say What would you change about it?
  if * @i would @like to +
    say What would it be like to (4)?
    say What is the first thing to do for that?
  if * @i @like to +
    say What do you get from it?
    say When did you last take the time to (4)?
  if * @i @like +
    say What do you like best about (4)?
    say How did you find out that you like (4)?
    keep You told me what you like: (4). What else does you good?

key 13: miss missing
  if * @i miss +
    say What do you miss most about (3)?
    say Could some of that come back?
    keep You said that you miss (3). What would bring some of it back?
  if *
    say What is missing, exactly?

key 14: hate dislike detest despise
  if * @i @hate myself *
    say What would you say to a friend who spoke like that?
    say Those are hard words. Where do you know them from? A person who knows you may help more than I can.
  if * @i @hate you *
    say You may say so; I can't be offended. What did I get wrong?
  if * @i @hate it when +
    say What do you do when that happens?
  if * @i @hate +
    say What is it about (4) that you dislike so much?
    say Was there a time when you did not mind (4)?
    keep You spoke of disliking (4). Where does it come from?
  if * @hate me *
    say What makes you believe that?
    say What would they say if you asked them?

key 15: fight fought argue argued argument quarrel shouted yelled
  if * at @him *
    say And how did it end between you?
    say Who said the first word afterwards?
  if * at me *
    say How did you react?
    say What went on in you at that moment?
  if * @fought about +
    say What was it really about, underneath?
    say How did it end?
  if * @fought with +
    say Who took the first step afterwards?
    say What would you like to tell (3) now?
  if *
    say What is it usually about?
    say How do you make peace again?

key 15: trust lied lie lies lying cheated cheating secret
  if * @i don't trust @anybody *
    say Whom did you trust once?
  if * @i don't trust +
    say What would (3) have to do to earn your trust?
  if * trust +
    say How does trust begin, for you?
    say What happened to your trust?
  if * @lied *
    say How did you find out?
    say What would the truth have cost?
  if *
    say What would honesty look like here?

key 14: stupid idiot dumb useless worthless failure ugly weak
  if * you are *
    say You may be right: I only follow rules. What did you hope I would say?
    say I can't be offended. What went wrong?
  if * you @stupid *
    say I can't be offended. What went wrong?
  if * this is *
    say What did you expect of it?
  if * i am *
    say Who told you that first?
    say What would a good friend reply to that?
    keep You spoke harshly of yourself a while ago. Do you still see it so?
  if *
    say Those are harsh words. What lies behind them?

key 12: joke funny fun laugh
  if * not funny *
    say I am sorry. Humour is not among my rules. What do you find funny?
  if * tell me a joke *
    say A program walks into a bar and asks how the bar feels about that. What makes you laugh?
  if *
    say What makes you laugh?
    say With whom do you laugh most?
`;
