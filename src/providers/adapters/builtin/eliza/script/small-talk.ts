/** How a conversation opens, stalls and closes, and what is said where no keyword applies. */
export const SMALL_TALK = `
key 0: $greeting
  if *
    say Hello. I am Eliza. What would you like to talk about?

key 0: $silence
  if *
    say Take your time. I am listening.
    say You sent no words. What is on your mind?
    say Silence is fine too. Write when you are ready.

key 0: $foreign
  if *
    say I only follow English, and only a little of it. Could you say that in English?
    say I am sorry, my rules are written for English. Can you try it in English?

key 0: $repeat
  if *
    say You said the same just now. What makes it worth saying twice?
    say That is word for word what you wrote before. Did I miss something in it?
    say We seem to be going in a circle. Where would you like to leave it?

key 0: $question
  if *
    say That is a question I have no rule for. What would you like the answer to be?
    say I can't answer that. What made you think of it?
    say What would change once you knew?
    say I do not know. What is your own guess?
    say How long has that question been with you?

key 0: $short
  if +
    say (1)? Say a little more, please.
    say And what lies behind that?
    say (1)? What comes to mind when you think of it?
    say And what does that have to do with you?

key 0: $none
  if *
    say Do tell me more.
    say I see. And what does that mean to you?
    say Tell me more about that.
    say How do you feel when you say that?
    say That sounds important. What happened next?
    say Could you give me an example?
    say What else comes to mind?
    say I am following. Go on.
    say Let us stay with that for a moment. Why does it matter?

key 6: hello hi hey greetings howdy hiya
  if *
    say Hello. What would you like to talk about today?
    say Hello again. What is on your mind?
    say Hi. Shall we go on where we were?

key 8: morning evening afternoon
  if good @daytime *
    say Good (1) to you. How has the day treated you so far?
  if * this @daytime *
    say What happened this (2)?
  if * in the @daytime *
    say What are your (2)s usually like?

key 12: how
  if how are you *
    say I am a program, so I am always the same. How are you?
    say No change here: rules do not have good or bad days. How about you?
  if how is it going *
    say Steadily. And with you?
  if how do you feel *
    say I have no feelings, only rules. How do you feel?
  if how do you *
    go $eliza-works
  if how @can i +
    say What have you tried so far?
    say What would be the first small step towards that?
    say If a friend wanted to (2), what would you advise?
  if how much *
    go $numbers
  if how many *
    go $numbers
  if how old are you *
    say The idea is from 1966. This script is a good deal younger. Why does age matter to you?
  if how *
    say How would you go about finding that out?
    say What would the answer change for you?

key 30: bye goodbye farewell cya
  if *
    say Goodbye. Thank you for talking with me.
    say Goodbye. I hope it helped to put it into words.

key 31: go leave
  if * i need to @go
    go bye
  if * i need to @go now
    go bye
  if * i have to @go
    go bye
  if * i have to @go now
    go bye
  if * i must @go *
    go bye
  if * go to hell *
    say You may say so; I can't be offended. What went wrong?

key 15: fail failed failing
  if * @i failed +
    say What would you have needed at the time?
    say Whom did you tell about it?
    say What did you learn from it?
  if *
    say What would failing mean, in the end?
    say What have you succeeded in?

key 30: see
  if see you *
    go bye
  if * see you later
    go bye

key 19: thanks thank
  if * thank @you for +
    say You are welcome. What was it about (3) that helped?
  if *
    say You are welcome. Is there anything else on your mind?
    say You did the work; I only reflected it. What comes next?

key 13: sorry apologise apologize
  if * i am sorry for +
    say What makes you feel responsible for (2)?
  if *
    say There is no need to apologise to a program.
    say No harm done. What did you want to say?
    say Do you often find yourself apologising?

key 3: yes yeah sure certainly definitely exactly indeed absolutely
  if @agree
    say What speaks most for it?
    say Good. Can you say more about it?
    say I understand. How long has that been so?
    say Then what follows from it?
  if yes +
    say What makes you say that (1)?
    say I see. Go on.

key 3: no never
  if no
    say What stands against it?
    say And if you had to say yes?
    say You say no quite firmly. What lies behind it?
  if no @one *
    go nobody
  if * i never +
    say What would it take for you to (2)?
    say What has kept you from it?
  if * you never +
    say Is it important to you that I (2)?
  if * never *
    say Never is a strong word. Can you think of an exception?

key 3: okay fine alright
  if *
    say Just fine, or is there more to it?
    say All right. What should we look at next?
    say Where would you like to go from here?

key 4: maybe perhaps possibly probably guess suppose
  if *
    say How would you find out?
    say What speaks for it, and what speaks against it?
    say If you had to decide now, which way would you lean?

key 4: dunno idk
  if *
    go $unsure
key 0: $unsure
  if *
    say Suppose that you did know. What would you say then?
    say Which part of it is the least clear to you?
    say Not knowing can be a start. What do you know for certain?
`;
