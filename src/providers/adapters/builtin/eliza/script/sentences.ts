/** Forms of sentences: what the user is, has, does, thinks and wants; what is said about the listener. */
export const SENTENCES = `
key 18: my
  if * my name is +
    say Nice to meet you, (2). What brings you here?
    say So you are (2). What should I know about you?
  if * my fault *
    say What part of it was really yours to decide?
  if * my own +
    say What does it mean to you that it is your own?
  if * my + is +
    say Why do you think your (2) is (3)?
    say What would it be like if your (2) were different?
    keep You told me that your (2) is (3). Has that changed?
  if * my + are +
    say What would you like your (2) to be?
    keep You told me that your (2) are (3). What else is there to it?
  if my +
    say Tell me more about your (1).
    say Your (1): what does that bring to mind?
    keep A while ago you mentioned your (1). What about it?

key 15: can't unable
  if * @i can't +
    say What happens when you try to (3)?
    say What would change if you could (3)?
    say What have you tried?
    say Who could show you how to (3)?
  if * @i am unable to +
    say What would help you to (3)?
  if * @you can't +
    say What makes you think that I can't (3)?
  if *
    say What makes it impossible?

key 12: am
  if * am i +
    say Would it matter to you to be (2)?
    say Who says that you are (2)?
    say What would it mean to be (2)?
  if * i am not +
    say What makes you say that you are not (2)?
    say What would it be like to be (2)?
  if * i am going to be +
    say How do you imagine being (2)?
    say What will change when you are (2)?
  if * i am going to +
    say What do you expect to come of it?
    say What would make you change your mind?
    keep You said you were going to (2). Have you decided?
  if * i am trying to +
    say What is in the way?
    say How will you know that you have succeeded?
  if * i am here *
    say What made you come today?
  if * i am from +
    say What ties you to (2)?
  if * i am @intensely +
    say What does being (3) do to you?
    say How long has that been so?
  if * i am a +
    say What does it mean to you to be a (2)?
    say How did you become a (2)?
    keep You described yourself as a (2). What else are you?
  if * i am +
    say Since when have you been (2)?
    say How do you feel about being (2)?
    say Do others know that you are (2)?
    keep You said that you are (2). What has changed about it?

key 11: was were
  if * was i +
    say Suppose that you were. What then?
  if * i was +
    say What was it like to be (2)?
    say What has become of that?
    say Why do you bring it up now?
  if * were you +
    say What difference would it make if I had been (2)?
  if * it was +
    say What made it (2)?
    say How do you look at it now?
  if * @they @are +
    say And how did you deal with that?

key 13: have had must should ought
  if * @i have to +
    say Who says that you have to (3)?
    say What would happen if you did not (3)?
    keep You said that you have to (3). Who decided that?
  if * @i had to +
    say What choice did you have?
    say Would you do the same again?
  if * @i should +
    say What keeps you from it?
    say Whose voice says that you should?
  if * @i shouldn't *
    say Where does that rule come from?
  if * should i +
    say What speaks for it, and what against it?
    say What would you advise a friend?
  if * @i have a +
    say What does it mean to you to have a (3)?
    keep You mentioned that you have a (3). Tell me more.
  if * @i have been +
    say How has that been for you?
  if * @i have no +
    say What would be different if you had (3)?
  if * @i have +
    say How do you feel about that?
    say What comes next?
  if * @i had not +
    say What had kept you from it?
    say Would you do it differently now?
  if * @i had +
    say What remains of it?

key 10: you your yourself
  if * you are like +
    say What do I share with (2), as you see it?
  if * you are not +
    say What makes you say that I am not (2)?
  if * you are +
    say What did I write that looks (2) to you?
    say Suppose that I am (2). What would you want me to do about it?
    say Who else has seemed (2) to you?
  if * are you +
    say What would it change for you if I were (2)?
    say Why do you wonder whether I am (2)?
  if * do you have +
    say I have nothing but rules. What about you?
  if * do you understand *
    say I understand nothing; I follow rules. What would you most like to be understood?
  if * do you +
    say I am not the interesting one here. Do you?
    say Why does it matter to you whether I (2)?
  if * did you +
    say I can't do much outside of this conversation. Did you?
  if * @can you +
    say I can only converse. What would it mean to you if I could (3)?
    say What makes you wish that I could (3)?
  if * you don't +
    say What would it be like if I did?
    say You expected something else. What was it?
  if * you make me +
    say What did I say that makes you (2)?
  if * you said *
    say I may have. How did it sound to you?
  if * you @never +
    say Whom else could you say that of?
  if * your +
    say What is it about my (2)?
    say Let us talk about yours instead.
  if *
    say There is not much to me. How is it with you?
    say I only reflect. What would you see without the mirror?

key 7: i
  if i don't know *
    go $unsure
  if * i don't know *
    go $unsure
  if * i don't understand *
    say Which part is unclear?
    say What would you need to make sense of it?
  if * i don't care *
    say What would you care about?
    say Has it always left you cold?
  if * i don't +
    say Why don't you (2)?
    say Would you like to (2)?
  if * i haven't +
    say What has kept you from it so far?
    say Is there still time for it?
  if * i didn't +
    say What kept you from it?
    say Do you wish that you had?
  if * i know *
    say Since when have you known?
    say Knowing is one thing. How does it feel?
  if * i will +
    say What do you hope will come of it?
    say How sure are you?
  if * i would +
    say What holds you back?
    say What would have to happen first?
  if * i could +
    say What would be good about it?
  if * i +
    say You (2): how was that for you?
    say Why do you tell me that just now?
    say What does it tell you about yourself?
    say I see. And then?

key 8: can could would
  if @can you +
    say I can only converse. What would it mean to you if I could (2)?
    say What makes you wish that I could (2)?
  if @can i +
    say Do you want to be able to (2)?
    say What would stop you?
  if * @we @can +
    say Who would take the first step?

key 9: we us our
  if * we @never *
    say Who of you minds it most?
  if * we @are +
    say What does the other side say to that?
    say Since when?
  if * we +
    say Who is "we" here?
    say And how was it for you yourself?
  if *
    say What connects you?
`;
